package io.drayage.simulation;

import io.drayage.simulation.kernel.SimClassLoader;
import io.drayage.simulation.kernel.SimScheduler;
import java.util.function.LongFunction;

/** Runs seeds, in a JVM that lets threads be scheduled. */
final class SimulationMain {
  private SimulationMain() {}

  /**
   * Prints a line for each seed, and ends with the first that breaks a promise.
   *
   * @param args the first seed, the last, how often each runs, and a call that is left out or
   *     nothing
   */
  public static void main(String[] args) throws Exception {
    if (!SimScheduler.isSupported()) {
      throw new IllegalStateException("threads cannot be simulated on " + Runtime.version());
    }
    ClassLoader loader = new SimClassLoader(args[3]);
    for (long seed = Long.parseLong(args[0]); seed <= Long.parseLong(args[1]); seed++) {
      String done = run(loader, seed);
      for (int again = 1; again < Integer.parseInt(args[2]); again++) {
        String other = run(loader, seed);
        if (!other.equals(done)) {
          throw new AssertionError("seed %d: %s, then %s".formatted(seed, done, other));
        }
      }
      System.out.println("seed " + seed + " holds: " + done);
    }
    // Threads of the seeds stay where they were.
    System.exit(0);
  }

  private static String run(ClassLoader loader, long seed) throws Exception {
    Thread.currentThread().setContextClassLoader(loader);
    Object cluster =
        loader.loadClass(SimulatedCluster.class.getName()).getConstructor().newInstance();
    @SuppressWarnings("unchecked")
    LongFunction<String> runs = (LongFunction<String>) cluster;
    return runs.apply(seed);
  }
}
