package io.drayage.bench.environment;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;

/** Commands of the machine. */
public final class Tools {
  private Tools() {}

  /** Whether a command is on the path, or in a folder of network tools, which some paths lack. */
  public static boolean isInstalled(String command) {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.concat(
            Arrays.stream(path.split(File.pathSeparator)), Stream.of("/usr/sbin", "/sbin"))
        .filter(folder -> !folder.isEmpty())
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, command)));
  }
}
