package io.drayage.cli.data;

import io.drayage.cli.options.OptionChecks;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The value {@code [NAME=]FILE} of an option: an existing file and its name. If a file has an
 * equals sign in its own name, the whole value is the file.
 *
 * @param isNamed whether NAME was written
 */
record NamedFile(String name, Path file, boolean isNamed) {
  private static final Pattern ENDING =
      Pattern.compile(
          "\\.(parquet|csv|tsv|json|jsonl|ndjson|arrow|arrows|duckdb|db)(\\.gz)?$",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern ADDRESS = Pattern.compile("[a-z][a-z0-9+.-]+:/{1,2}.*");

  /**
   * Reads the value.
   *
   * @throws picocli.CommandLine.ParameterException if there is no such file, with the text to write
   *     instead
   */
  static NamedFile of(String option, String value, OptionChecks checks) {
    int equals = value.indexOf('=');
    Path whole = path(value);
    Path part = equals > 0 ? path(value.substring(equals + 1)) : null;
    boolean wholeIsThere = whole != null && Files.exists(whole);
    boolean partIsThere = part != null && Files.exists(part);
    checks.require(
        !(wholeIsThere && partIsThere),
        "%s %s: both this file and %s are there: write ./%s for the first, or %s=./%s for a table '%s' of the second"
            .formatted(
                option,
                value,
                part,
                value,
                equals < 0 ? "" : value.substring(0, equals),
                part,
                equals < 0 ? "" : value.substring(0, equals)));
    if (part == null || wholeIsThere) {
      return new NamedFile(stem(whole, value), requireFile(option, whole, value, checks), false);
    }
    return new NamedFile(
        value.substring(0, equals).strip(),
        requireFile(option, part, value.substring(equals + 1), checks),
        true);
  }

  /** Returns the path of a text; null if there is none. */
  static @Nullable Path path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      return null;
    }
  }

  /** Returns the file's name without its suffixes. */
  private static String stem(@Nullable Path path, String value) {
    String name = path == null ? value : String.valueOf(path.getFileName());
    String stem = ENDING.matcher(name).replaceFirst("");
    return stem.isEmpty() ? name : stem;
  }

  private static Path requireFile(
      String option, @Nullable Path path, String text, OptionChecks checks) {
    String named = option + " " + text;
    Path file = requireThere(named, path, text, ": there is no such file", checks);
    checks.require(
        !Files.isDirectory(file),
        "%s is a folder: name its files, one by one%s"
            .formatted(
                named, ", or as one table by --select \"t=SELECT * FROM 'FOLDER/*.parquet'\""));
    requireReadable(named, file, checks);
    return file;
  }

  /**
   * Requires that something of that name exists.
   *
   * @param named its name in messages
   * @param path null if no file can have that name
   * @param text the argument of the user
   * @param missing the message if it does not exist
   */
  static Path requireThere(
      String named, @Nullable Path path, String text, String missing, OptionChecks checks) {
    boolean isThere = path != null && Files.exists(path);
    checks.require(
        isThere || !ADDRESS.matcher(text.toLowerCase(Locale.ROOT)).matches(),
        named + " is an address: download the file first");
    checks.require(
        isThere || !text.equals("-"),
        named + ": standard input is not read: write it to a file first");
    checks.require(isThere && !text.isEmpty(), named + missing);
    return path == null ? Path.of("") : path;
  }

  /** Requires a readable file, unless it is a folder. */
  static void requireReadable(String named, Path file, OptionChecks checks) {
    checks.require(
        Files.isRegularFile(file),
        named + " is a pipe or a device, and a table is read more than once: write it to a file");
    checks.require(Files.isReadable(file), named + " cannot be read: it needs the right to");
  }
}
