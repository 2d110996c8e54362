package io.drayage.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a class in a JVM of its own, with the class path and JDK of the tests. */
public final class ChildJvm {
  private static final int UNSAFE_OPTION_SINCE = 24;

  private ChildJvm() {}

  /**
   * Runs {@code main} to its end.
   *
   * @param folder receives the output
   * @param options options of the JVM
   * @return the output, with standard error
   * @throws AssertionError if it fails, or is not done in time; then it is killed
   */
  public static String run(
      Path folder, long deadlineS, List<String> options, Class<?> main, String... args)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of("--enable-native-access=ALL-UNNAMED"));
    if (Runtime.version().feature() >= UNSAFE_OPTION_SINCE) {
      all.add("--sun-misc-unsafe-memory-access=allow");
    }
    all.addAll(options);
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    return run(java, folder, deadlineS, all, main, args);
  }

  /** Runs {@code main} with the {@code java} of another JDK and only these options. */
  public static String run(
      Path java, Path folder, long deadlineS, List<String> options, Class<?> main, String... args)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(java.toString()));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(args));
    Path output = Files.createTempFile(folder, main.getSimpleName(), ".log");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean ended = false;
    try {
      ended = process.waitFor(deadlineS, TimeUnit.SECONDS);
    } finally {
      process.destroyForcibly();
    }
    String text = Files.readString(output, StandardCharsets.UTF_8);
    if (!ended || process.exitValue() != 0) {
      throw new AssertionError(
          "%s %s:\n%s"
              .formatted(
                  main.getName(),
                  ended ? "ended with " + process.exitValue() : "hangs, or is too slow",
                  text));
    }
    return text;
  }
}
