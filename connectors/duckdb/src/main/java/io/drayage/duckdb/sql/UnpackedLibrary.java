package io.drayage.duckdb.sql;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * DuckDB's native code, which its driver unpacks into the temporary folder and deletes when the JVM
 * ends. Here it is deleted as soon as it is loaded, so that a JVM which is killed leaves none.
 */
final class UnpackedLibrary {
  private static final String LOADER = "org.duckdb.DuckDBNative";
  private static final Pattern NAME = Pattern.compile("libduckdb_java\\d+\\.so");

  /** On Linux: what this process has loaded. Elsewhere the file stays until the JVM ends. */
  private static final Path MAPS = Path.of("/proc/self/maps");

  /** A line's path, behind addresses, rights, offset, device and inode. */
  private static final Pattern MAPPED = Pattern.compile("(?:\\S+\\s+){5}(/.*)");

  private static boolean isLoaded;

  private UnpackedLibrary() {}

  /**
   * Loads it, unless it is loaded.
   *
   * @throws LinkageError if it cannot be loaded; what was unpacked of it is deleted
   */
  static synchronized void requireLoaded() {
    if (isLoaded) {
      return;
    }
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    Set<Path> before = files(temporary);
    try {
      Class.forName(LOADER);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("another driver of DuckDB than this was made for", e);
    } catch (LinkageError e) {
      files(temporary).stream()
          .filter(file -> !before.contains(file))
          .forEach(UnpackedLibrary::delete);
      throw e;
    }
    isLoaded = true;
    loaded().forEach(UnpackedLibrary::delete);
  }

  private static Set<Path> files(Path folder) {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(UnpackedLibrary::isUnpacked).collect(Collectors.toSet());
    } catch (IOException | UncheckedIOException e) {
      return Set.of();
    }
  }

  private static boolean isUnpacked(Path file) {
    return NAME.matcher(String.valueOf(file.getFileName())).matches();
  }

  /** The file that this process has loaded; none if it was deleted. */
  static Set<Path> loaded() {
    try (Stream<String> lines = Files.lines(MAPS)) {
      return lines
          .map(MAPPED::matcher)
          .filter(Matcher::matches)
          .map(line -> Path.of(line.group(1)))
          .filter(UnpackedLibrary::isUnpacked)
          .collect(Collectors.toSet());
    } catch (IOException | UncheckedIOException e) {
      return Set.of();
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // It costs space, and nothing else.
    }
  }
}
