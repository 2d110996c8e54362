package io.drayage.duckdb.file;

import static io.drayage.internal.Texts.format;

import io.drayage.tables.TableException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that are well-formed UTF-8. A read at a malformed byte throws a {@link
 * CharacterCodingException}, so that the caller knows the value with this byte. Not thread-safe.
 */
final class Utf8Input extends FilterInputStream {
  /** Number of bytes that must follow; the next one must be between the two limits. */
  private int more;

  private int least;
  private int most;
  private boolean failed;

  Utf8Input(InputStream in) {
    super(in);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int read = failed ? -1 : super.read(bytes, offset, length);
    for (int i = 0; i < read; i++) {
      if ((more > 0 || bytes[offset + i] < 0) && !takes(bytes[offset + i] & 0xff)) {
        failed = true;
        read = i == 0 ? -1 : i;
      }
    }
    if (read < 0 && (failed || more > 0)) {
      throw new CharacterCodingException();
    }
    return read;
  }

  /** Checks a byte by table 3-7 of the Unicode Standard: no overlong forms, no surrogates. */
  private boolean takes(int octet) {
    if (more > 0) {
      boolean fits = octet >= least && octet <= most;
      more--;
      least = 0x80;
      most = 0xbf;
      return fits;
    }
    more = octet < 0xe0 ? 1 : octet < 0xf0 ? 2 : 3;
    least = octet == 0xe0 ? 0xa0 : octet == 0xf0 ? 0x90 : 0x80;
    most = octet == 0xed ? 0x9f : octet == 0xf4 ? 0x8f : 0xbf;
    return octet >= 0xc2 && octet <= 0xf4;
  }

  /** Returns an exception for a file. */
  static TableException failure(Path file, long line, @Nullable String column) {
    return new TableException(
        format(
            "%s, line %,d%s: it is not in UTF-8: convert the file with iconv, or save it as UTF-8",
            file, line, column == null ? "" : ", column '%s'".formatted(column)));
  }
}
