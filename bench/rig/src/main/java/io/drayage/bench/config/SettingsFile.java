package io.drayage.bench.config;

import static io.drayage.internal.Texts.format;

import io.drayage.codec.WholeFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A file of settings in UTF-8. A line is {@code key = value}. A comment follows a {@code #} at the
 * start of a line or after a blank. The keys are the long names of options, without their dashes.
 */
public final class SettingsFile {
  /** Matches also the mark that some editors write at the start of a file. */
  private static final Pattern COMMENT = Pattern.compile("^\ufeff|(^|\\s)#.*");

  private SettingsFile() {}

  /**
   * Reads a file.
   *
   * @throws IllegalArgumentException if a line is malformed, naming file and line
   */
  public static Map<String, String> read(Path file) throws IOException {
    Map<String, String> settings = new LinkedHashMap<>();
    int number = 0;
    for (String line : Files.readAllLines(file)) {
      number++;
      String text = COMMENT.matcher(line).replaceAll("").strip();
      if (text.isEmpty()) {
        continue;
      }
      int equals = text.indexOf('=');
      if (equals < 0) {
        throw problem(file, number, "'%s' is not of the form key = value".formatted(text));
      }
      String key = text.substring(0, equals).strip();
      if (settings.put(key, text.substring(equals + 1).strip()) != null) {
        throw problem(file, number, "'%s' is set a second time".formatted(key));
      }
    }
    return settings;
  }

  private static IllegalArgumentException problem(Path file, int line, String problem) {
    return new IllegalArgumentException(format("%s, line %d: %s", file, line, problem));
  }

  /**
   * Writes a file. An earlier file stays as {@code NAME.old}, which replaces an older one. At any
   * moment one of the two names has its settings.
   *
   * @param comments first lines of the file, without their {@code #}
   * @return where the earlier file is now; empty if there was none
   */
  public static Optional<Path> write(Path file, Map<String, String> settings, List<String> comments)
      throws IOException {
    List<String> lines = new ArrayList<>();
    comments.forEach(comment -> lines.add("# " + comment));
    settings.forEach((key, value) -> lines.add(key + " = " + value));
    byte[] text =
        lines.stream().collect(Collectors.joining("\n", "", "\n")).getBytes(StandardCharsets.UTF_8);
    Optional<Path> kept = Optional.empty();
    if (Files.isRegularFile(file)) {
      Path there = file.toRealPath();
      Path old = there.resolveSibling(there.getFileName() + ".old");
      WholeFile.write(old, unfinished -> Files.copy(there, unfinished));
      kept = Optional.of(old);
    }
    WholeFile.stream(file, out -> out.write(text));
    return kept;
  }
}
