package io.drayage.duckdb.sql;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * DuckDB's native code. Its driver unpacks the code into the temporary folder, and deletes it when
 * the JVM ends. On Linux, this class deletes it when it is loaded. A JVM that ends before waits for
 * that. If a JVM is killed before, the next one that loads the code deletes the file, unless it is
 * newer than {@link #OLD} and may thus belong to a living process.
 */
final class UnpackedLibrary {
  private static final String LOADER = "org.duckdb.DuckDBNative";
  private static final Pattern NAME = Pattern.compile("libduckdb_java\\d+\\.so");

  /** The list of files that this process has loaded. Only Linux has it. */
  private static final Path MAPS = Path.of("/proc/self/maps");

  /** The pattern of a line's path, which follows addresses, rights, offset, device and inode. */
  private static final Pattern MAPPED = Pattern.compile("(?:\\S+\\s+){5}(/.*)");

  /** Every process loads its file within this time. */
  static final Duration OLD = Duration.ofMinutes(1);

  private static boolean isLoaded;

  private UnpackedLibrary() {}

  /**
   * Loads the code once.
   *
   * @param own a file of this user
   * @throws LinkageError if it cannot be loaded; its unpacked file is deleted
   */
  static synchronized void requireLoaded(Path own) {
    if (isLoaded) {
      return;
    }
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    deleteLeft(temporary, own); // First, since old files may have filled the disk.
    Runtime.getRuntime().addShutdownHook(new Thread(UnpackedLibrary::await, "await-duckdb"));
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

  /** Waits for {@link #requireLoaded}: the JVM would end while its driver writes the file. */
  private static synchronized void await() {}

  /** Deletes old files of the user who has the file {@code own}. A loaded one stays loaded. */
  static void deleteLeft(Path temporary, Path own) {
    Instant limit = Instant.now().minus(OLD);
    for (Path file : files(temporary)) {
      try {
        if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
            && Files.getOwner(file).equals(Files.getOwner(own))
            && Files.getLastModifiedTime(file).toInstant().isBefore(limit)) {
          Files.deleteIfExists(file);
        }
      } catch (IOException | UnsupportedOperationException e) {
        // The file only costs space.
      }
    }
  }

  /** Returns the files in a folder that have the name of an unpacked one. */
  static Set<Path> files(Path folder) {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(UnpackedLibrary::isUnpacked).collect(Collectors.toSet());
    } catch (IOException | UncheckedIOException e) {
      return Set.of();
    }
  }

  private static boolean isUnpacked(Path file) {
    return NAME.matcher(String.valueOf(file.getFileName())).matches();
  }

  /** Returns the files that this process has loaded and that are not deleted. */
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
      // The file only costs space.
    }
  }
}
