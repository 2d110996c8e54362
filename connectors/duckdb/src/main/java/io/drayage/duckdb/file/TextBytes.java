package io.drayage.duckdb.file;

import io.drayage.internal.Begun;
import io.drayage.tables.TableException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;

/** The bytes of a text file in UTF-8, decompressed, without a byte order mark. */
final class TextBytes {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final String GZIP = "\u001f\u008b";
  private static final String UTF_8_MARK = "\u00ef\u00bb\u00bf";

  /**
   * Regular expressions of first bytes that no text file has, whatever its name. Each has a byte
   * that texts do not have, because a column may be named PAR1 or BZhours.
   */
  private static final Map<String, String> OTHERS =
      Map.of(
          GZIP,
          "compressed by gzip: its name should end in .gz",
          "\\(\u00b5/\u00fd",
          "compressed by Zstandard: decompress it with zstd -d",
          "\u00fd7zXZ",
          "compressed by xz: decompress it with xz -d",
          "BZh[1-9](1AY&SY|\u0017rE8P\u0090)",
          "compressed by bzip2: decompress it with bzip2 -d",
          "PK\u0003\u0004",
          "a ZIP archive or a workbook: unpack it, or save the sheet as CSV",
          "PAR1\u0015",
          "Parquet: its name should end in .parquet",
          "ARROW1\0\0",
          "an Arrow file: its name should end in .arrow",
          "SQLite format 3\0",
          "a database of SQLite: --jdbc jdbc:sqlite:FILE reads it",
          "\u00ff\u00fe",
          "UTF-16, not UTF-8: convert it with iconv -f UTF-16 -t UTF-8",
          "\u00fe\u00ff",
          "UTF-16, not UTF-8: convert it with iconv -f UTF-16 -t UTF-8");

  private static final int MARK_BYTES = 16;

  private TextBytes() {}

  static InputStream open(Path file, boolean zipped) throws IOException {
    InputStream raw = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES);
    try (Begun begun = new Begun(raw)) {
      InputStream text = zipped ? unzipped(file, raw) : raw;
      String start = start(text);
      if (zipped && start.startsWith(GZIP)) {
        throw new TableException(file + ": it is compressed by gzip twice: use gzip -d once");
      }
      for (Map.Entry<String, String> other : OTHERS.entrySet()) {
        if (Pattern.compile(other.getKey()).matcher(start).lookingAt()) {
          throw new TableException("%s: it is %s".formatted(file, other.getValue()));
        }
      }
      if (start.startsWith(UTF_8_MARK)) {
        text.skipNBytes(UTF_8_MARK.length());
      }
      return begun.keep(text);
    }
  }

  private static InputStream unzipped(Path file, InputStream raw) throws IOException {
    if (!start(raw).startsWith(GZIP)) {
      throw new TableException(
          "%s: it is not compressed by gzip, though its name ends in .gz: rename it"
              .formatted(file));
    }
    return new BufferedInputStream(new GzipMembers(file, raw), BUFFER_BYTES);
  }

  /** Returns the first bytes, each as a character; they can be read again. */
  private static String start(InputStream in) throws IOException {
    in.mark(MARK_BYTES);
    byte[] bytes = in.readNBytes(MARK_BYTES);
    in.reset();
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
