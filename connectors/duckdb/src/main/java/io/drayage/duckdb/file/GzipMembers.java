package io.drayage.duckdb.file;

import static io.drayage.internal.Texts.format;

import io.drayage.tables.TableException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * The text of a gzip file (<a href="https://www.rfc-editor.org/rfc/rfc1952">RFC 1952</a>) of one or
 * several members, as bgzip and {@code cat} make them. Zeros may follow the last member. Each
 * member is read whole, and its checksums and its length are checked. The JDK's {@code
 * GZIPInputStream} ends without an error at a member with a damaged or cut header, and ignores data
 * behind a member; here both are refused. Not thread-safe.
 */
public final class GzipMembers extends InputStream {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int FIRST_BYTE = 0x1f;
  private static final int SECOND_BYTE = 0x8b;
  private static final int DEFLATE = 8;
  private static final int HAS_CHECKSUM = 2;
  private static final int HAS_EXTRA = 4;
  private static final int HAS_NAME = 8;
  private static final int HAS_COMMENT = 16;
  private static final int RESERVED = 0xe0;

  /** Bytes of the time, the flags for speed, and the operating system. */
  private static final int IGNORED_BYTES = 6;

  /** The limit of bytes in a message about data that is no member. */
  private static final int MAX_SHOWN = 8;

  private final Path file;
  private final InputStream in;
  private final Inflater inflater = new Inflater(true);

  /** The checksum of the header, and then of the text. */
  private final CRC32 checksum = new CRC32();

  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int at;
  private int limit;

  /** The offset of the buffer's end in the file. */
  private long limitOffset;

  /** The offset of the member. */
  private long start;

  private boolean ended;

  /** Reads the header of the first member. */
  GzipMembers(Path file, InputStream in) throws IOException {
    this.file = file;
    this.in = in;
    readHeader();
  }

  /**
   * Reads a file to its end, if it begins like gzip.
   *
   * @throws TableException if it is cut off or damaged
   */
  public static void requireWhole(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      if (in.read() != FIRST_BYTE || in.read() != SECOND_BYTE) {
        return;
      }
    }
    byte[] buffer = new byte[BUFFER_BYTES];
    try (GzipMembers text = new GzipMembers(file, Files.newInputStream(file))) {
      while (text.read(buffer, 0, buffer.length) >= 0) {}
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    while (!ended) {
      int read = inflate(bytes, offset, length);
      if (read > 0 || length == 0) {
        checksum.update(bytes, offset, read);
        return read;
      }
      if (inflater.finished()) {
        at = limit - inflater.getRemaining();
        readTrailer();
        start = offset();
        if (hasMember()) {
          readHeader();
        } else {
          ended = true;
        }
      } else if (at < limit || fill()) {
        inflater.setInput(buffer, at, limit - at);
        at = limit;
      } else {
        throw cut();
      }
    }
    return -1;
  }

  private int inflate(byte[] bytes, int offset, int length) throws IOException {
    try {
      return inflater.inflate(bytes, offset, length);
    } catch (DataFormatException e) {
      throw damaged(e.getMessage() == null ? "it is not Deflate's" : e.getMessage());
    }
  }

  private void readHeader() throws IOException {
    checksum.reset();
    if (next() != FIRST_BYTE || next() != SECOND_BYTE) {
      throw damaged("it does not begin with 0x1f8b");
    }
    int method = next();
    if (method != DEFLATE) {
      throw damaged(format("its method is %d, and not 8", method));
    }
    int flags = next();
    if ((flags & RESERVED) != 0) {
      throw damaged(format("its flags are 0x%02x", flags));
    }
    skip(IGNORED_BYTES);
    if ((flags & HAS_EXTRA) != 0) {
      skip((int) number(Short.BYTES));
    }
    skipText((flags & HAS_NAME) != 0);
    skipText((flags & HAS_COMMENT) != 0);
    if ((flags & HAS_CHECKSUM) != 0) {
      int expected = (int) checksum.getValue() & 0xffff;
      if (number(Short.BYTES) != expected) {
        throw damaged("the checksum of its header differs");
      }
    }
    checksum.reset();
    inflater.reset();
  }

  private void skip(int bytes) throws IOException {
    for (int i = 0; i < bytes; i++) {
      next();
    }
  }

  private void skipText(boolean isThere) throws IOException {
    while (isThere && next() != 0) {
      // The field ends with a zero.
    }
  }

  private void readTrailer() throws IOException {
    long text = checksum.getValue();
    if (number(Integer.BYTES) != text) {
      throw damaged("its checksum differs");
    }
    if (number(Integer.BYTES) != (inflater.getBytesWritten() & 0xffffffffL)) {
      throw damaged("its length differs");
    }
  }

  /**
   * Whether another member follows.
   *
   * @throws TableException if something else follows
   */
  private boolean hasMember() throws IOException {
    while (at < limit || fill()) {
      if (buffer[at] == FIRST_BYTE && offset() == start) {
        return true;
      }
      if (buffer[at] != 0) {
        throw new TableException(
            format(
                "%s: other bytes follow the end of its gzip, from offset %,d on (0x%s): remove them, because they would be lost",
                file,
                offset(),
                HexFormat.of().formatHex(buffer, at, Math.min(limit, at + MAX_SHOWN))));
      }
      at++;
    }
    return false;
  }

  /** Returns the offset of the next byte. */
  private long offset() {
    return limitOffset - (limit - at);
  }

  private long number(int bytes) throws IOException {
    long number = 0;
    for (int i = 0; i < bytes; i++) {
      number |= (long) next() << (i * Byte.SIZE);
    }
    return number;
  }

  /** Reads the next byte of a header or trailer. */
  private int next() throws IOException {
    if (at == limit && !fill()) {
      throw cut();
    }
    checksum.update(buffer[at]);
    return buffer[at++] & 0xff;
  }

  private boolean fill() throws IOException {
    limit = Math.max(0, in.read(buffer, 0, buffer.length));
    at = 0;
    limitOffset += limit;
    return limit > 0;
  }

  private TableException cut() {
    return damaged("the file ends before the member does");
  }

  private TableException damaged(String reason) {
    return new TableException(
        format(
            "%s: its gzip is cut off or damaged, in the member that begins at offset %,d: %s",
            file, start, reason));
  }

  @Override
  public void close() throws IOException {
    inflater.end();
    in.close();
  }
}
