package io.drayage.spark;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts a JVM like this one. */
final class SparkJvm {
  private SparkJvm() {}

  /**
   * @param folder gets a file with its output
   */
  static Process start(Class<?> main, Path folder, List<String> arguments) throws IOException {
    List<String> command = command();
    // Its run is short. Without memory it must end, as a transactor does.
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+ExitOnOutOfMemoryError"));
    command.add(main.getName());
    command.addAll(arguments);
    File log = folder.resolve(main.getSimpleName() + ".log").toFile();
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
        .start();
  }

  /** Returns a command with Java, its options and this class path, without a main class. */
  static List<String> command() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(each -> !each.startsWith("-javaagent") && !each.startsWith("-agentlib"))
            .toList());
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    return command;
  }
}
