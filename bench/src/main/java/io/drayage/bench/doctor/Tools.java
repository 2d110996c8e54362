package io.drayage.bench.doctor;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;

/** Which commands there are, and who this user is. Starts no process. */
final class Tools {
  private static final Integer ROOT_UID = 0;

  private Tools() {}

  /** Whether a command is on the path, or where network tools lie, which not every path has. */
  static boolean isOnPath(String command) {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.concat(
            Arrays.stream(path.split(File.pathSeparator)), Stream.of("/usr/sbin", "/sbin"))
        .filter(folder -> !folder.isEmpty())
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, command)));
  }

  /** Whether this process runs as root; false where users have no numbers. */
  static boolean isRoot() {
    try {
      return ROOT_UID.equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return false;
    }
  }
}
