package io.drayage.bench.rig;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of a child: the same JVM and, but for a peer, class path as this one. */
public final class ChildCommand {
  private ChildCommand() {}

  /**
   * A command line.
   *
   * @param main the class to run
   * @param jvmOptions of the child's JVM; it inherits none
   */
  public static List<String> of(Class<?> main, List<String> jvmOptions) {
    return of(main.getName(), System.getProperty("java.class.path"), jvmOptions);
  }

  /** A command line of the same JVM and another class path. */
  static List<String> of(String main, String classPath, List<String> jvmOptions) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmOptions);
    command.add("-cp");
    command.add(classPath);
    command.add(main);
    return List.copyOf(command);
  }
}
