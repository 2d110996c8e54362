package io.drayage.duckdb.file;

import static io.drayage.internal.Texts.format;

import io.drayage.internal.Counted;
import io.drayage.tables.TableException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * File names for tables, different also on file systems that ignore case. Characters that some file
 * system refuses are encoded as in an address, {@code %2F}, so that the table's name can be
 * decoded.
 */
public final class TableFileNames {
  private static final String NEVER = "/\\:*?\"<>|%";

  /** Names of devices on Windows, with any suffix after a dot. */
  private static final Pattern DEVICE =
      Pattern.compile("(con|prn|aux|nul|com[0-9]|lpt[0-9])(\\..*)?", Pattern.CASE_INSENSITIVE);

  /** The limit of most file systems, less a suffix, in bytes. */
  private static final int MAX_BYTES = 240;

  private TableFileNames() {}

  /**
   * Returns the name for each table, without a suffix.
   *
   * @throws TableException if a name is too long for a file, with the table's name
   */
  public static Map<String, String> of(Collection<String> tables) throws TableException {
    Map<String, String> names = new LinkedHashMap<>();
    Set<String> taken = new HashSet<>();
    for (String table : tables) {
      String name = encoded(table, false);
      if (!taken.add(folded(name))) {
        name = encoded(table, true);
        taken.add(folded(name));
      }
      int bytes = name.getBytes(StandardCharsets.UTF_8).length;
      if (bytes > MAX_BYTES) {
        throw new TableException(
            format(
                "table '%s': its file's name would have %s, more than %,d: write it with snapshot sql --allow-files \"COPY ...\"",
                table, Counted.of(bytes, "byte"), MAX_BYTES));
      }
      names.put(table, name);
    }
    return names;
  }

  /** Returns the name on a file system that ignores case and the encoding of accents. */
  private static String folded(String name) {
    return Normalizer.normalize(name, Normalizer.Form.NFD)
        .toUpperCase(Locale.ROOT)
        .toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the encoded name, which is the name itself if every file system accepts it.
   *
   * @param withCase whether capital letters and letters beyond ASCII are encoded too; then no two
   *     tables have the same name, even if a file system ignores case
   */
  private static String encoded(String table, boolean withCase) {
    boolean isDevice = DEVICE.matcher(table).matches();
    StringBuilder name = new StringBuilder();
    int[] letters = table.codePoints().toArray();
    for (int i = 0; i < letters.length; i++) {
      int letter = letters[i];
      boolean isFirst = i == 0;
      boolean isLast = i == letters.length - 1;
      boolean isKept =
          letter >= ' '
              && letter != 0x7f
              && !(letter < 0x80 && NEVER.indexOf(letter) >= 0)
              && !(isFirst && (letter == '.' || letter == '~' || letter == '-' || letter == ' '))
              && !(isLast && (letter == '.' || letter == ' '))
              && !(isFirst && isDevice)
              && !(withCase && (letter >= 0x80 || (letter >= 'A' && letter <= 'Z')));
      if (isKept) {
        name.appendCodePoint(letter);
      } else {
        for (byte each : Character.toString(letter).getBytes(StandardCharsets.UTF_8)) {
          name.append(format("%%%02X", each & 0xff));
        }
      }
    }
    return name.isEmpty() ? "%" : name.toString();
  }
}
