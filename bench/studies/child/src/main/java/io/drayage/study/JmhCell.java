package io.drayage.study;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * The settings of JMH for one cell of a table.
 *
 * @param forks number of processes; 0 for this process
 * @param warmups iterations before the measured ones
 * @param warmupMs length of each, in milliseconds
 * @param iterations measured iterations
 * @param iterationMs length of each, in milliseconds
 */
public record JmhCell(int forks, int warmups, int warmupMs, int iterations, int iterationMs) {
  /**
   * Measures the mean ns of a call.
   *
   * @param benchmark a class with JMH's annotations
   * @param method of it
   * @param parameters of its state
   */
  public double nsPerCall(Class<?> benchmark, String method, Map<String, String> parameters)
      throws RunnerException {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("^%s\\.%s$".formatted(benchmark.getName().replace(".", "\\."), method))
            .mode(Mode.AverageTime)
            .timeUnit(TimeUnit.NANOSECONDS)
            .forks(forks)
            .warmupIterations(warmups)
            .warmupTime(TimeValue.milliseconds(warmupMs))
            .measurementIterations(iterations)
            .measurementTime(TimeValue.milliseconds(iterationMs))
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT);
    parameters.forEach(options::param);
    Collection<RunResult> results = new Runner(options.build()).run();
    return results.iterator().next().getPrimaryResult().getScore();
  }
}
