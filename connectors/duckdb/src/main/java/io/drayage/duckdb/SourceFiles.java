package io.drayage.duckdb;

import io.drayage.internal.Counted;
import io.drayage.tables.ImportPlan;
import io.drayage.tables.TableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files of an import, as they were before it read them. An import reads a file more than once,
 * so that a file that changes meanwhile would become a mixture of both contents. Thread-safe.
 *
 * @param before attributes of each file; none if the file could not be looked at
 */
record SourceFiles(Map<Path, Map<String, Object>> before) {
  private static final String SIZE = "size";
  private static final String IDENTITY = "fileKey";
  private static final String ATTRIBUTES = SIZE + ",lastModifiedTime," + IDENTITY;

  /** Looks at the files of a plan. */
  static SourceFiles of(ImportPlan plan) {
    Map<Path, Map<String, Object>> found = new HashMap<>();
    Stream.concat(plan.files().values().stream(), plan.oldFiles().values().stream())
        .forEach(file -> found.put(file, attributes(file)));
    return new SourceFiles(Map.copyOf(found));
  }

  /** Returns one of the files, or none. */
  SourceFiles only(@Nullable Path file) {
    return new SourceFiles(
        file == null ? Map.of() : Map.of(file, Objects.requireNonNull(before.get(file))));
  }

  /**
   * Requires that no file has changed, after the last reading.
   *
   * @param failure the failure of a reading, for which a change is the reason; null for none
   * @throws TableException if a file has changed, with its name
   */
  void requireUnchanged(@Nullable Exception failure) throws TableException {
    for (Map.Entry<Path, Map<String, Object>> file : before.entrySet()) {
      Map<String, Object> now = attributes(file.getKey());
      if (!now.equals(file.getValue())) {
        throw new TableException(
            "%s changed while it was read: %s: import it when no program writes it"
                .formatted(file.getKey(), difference(file.getValue(), now)),
            failure);
      }
    }
  }

  private static String difference(Map<String, Object> was, Map<String, Object> now) {
    if (was.isEmpty() || now.isEmpty()) {
      return now.isEmpty() ? "it was removed" : "it was made";
    } else if (!Objects.equals(was.get(SIZE), now.get(SIZE))) {
      return "it had %s, and then %s".formatted(bytes(was), bytes(now));
    }
    return Objects.equals(was.get(IDENTITY), now.get(IDENTITY))
        ? "it has other times, and as many bytes"
        : "another file has its name";
  }

  private static String bytes(Map<String, Object> attributes) {
    return Counted.of((Long) attributes.get(SIZE), "byte");
  }

  private static Map<String, Object> attributes(Path file) {
    boolean isUnix = file.getFileSystem().supportedFileAttributeViews().contains("unix");
    try {
      // A program can set all times of a file except for ctime.
      return Files.readAttributes(file, isUnix ? "unix:ctime," + ATTRIBUTES : ATTRIBUTES);
    } catch (IOException e) {
      return Map.of(); // A reading of the file has the reason.
    }
  }
}
