package io.drayage.duckdb.file;

import static io.drayage.internal.Texts.format;

import io.drayage.internal.Begun;
import io.drayage.internal.Counted;
import io.drayage.tables.TableException;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.zip.CRC32;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.Util;
import org.jspecify.annotations.Nullable;

/** The stored pages of a Parquet file, and their checksums. Not thread-safe. */
public final class ParquetPages implements AutoCloseable {
  private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

  /** Begins a file whose footer is encrypted. */
  private static final byte[] ENCRYPTED_MAGIC = "PARE".getBytes(StandardCharsets.US_ASCII);

  /** Bytes of the footer's length and of the magic. */
  private static final int TAIL_BYTES = 8;

  /** Bytes to read for a page header; most are shorter. */
  private static final int HEADER_BYTES = 256;

  private static final int BUFFER_BYTES = 1 << 18;

  /** The limit of a footer's texts and lists together, unless the footer itself is longer. */
  private static final int MAX_FOOTER_BYTES = 100 << 20;

  private final Path file;
  private final FileChannel channel;
  private final @Nullable FileMetaData footer;

  private ParquetPages(Path file, FileChannel channel) throws IOException {
    this.file = file;
    this.channel = channel;
    this.footer = footer(channel);
  }

  /**
   * Reads the footer.
   *
   * @throws TableException if the file begins and ends as Parquet, but its footer is damaged
   */
  public static ParquetPages open(Path file) throws IOException {
    FileChannel channel = FileChannel.open(file);
    try (Begun begun = new Begun(channel)) {
      return begun.keep(new ParquetPages(file, channel));
    } catch (IOException | RuntimeException e) {
      throw new TableException(
          "%s: it is no Parquet, or damaged: its footer: %s".formatted(file, e.getMessage()), e);
    }
  }

  /** Returns the footer; null if the file is not Parquet, or its footer is encrypted. */
  public @Nullable FileMetaData footer() {
    return footer;
  }

  private static @Nullable FileMetaData footer(FileChannel channel) throws IOException {
    long size = channel.size();
    if (size < MAGIC.length + TAIL_BYTES) {
      return null;
    }
    ByteBuffer start = read(channel, 0, MAGIC.length);
    ByteBuffer tail = read(channel, size - TAIL_BYTES, TAIL_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    int length = tail.getInt();
    if (!start.equals(ByteBuffer.wrap(MAGIC)) || !tail.equals(ByteBuffer.wrap(MAGIC))) {
      return null;
    }
    long from = size - TAIL_BYTES - length;
    if (length <= 0 || from < MAGIC.length) {
      throw new IOException("it would have " + Counted.of(length, "byte"));
    }
    return Util.readFileMetaData(
        new BufferedInputStream(new PositionStream(channel, from, length)),
        Math.max(length, MAX_FOOTER_BYTES));
  }

  private static ByteBuffer read(FileChannel channel, long at, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(length);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, at + buffer.position()) < 0) {
        throw new EOFException("the file ends");
      }
    }
    return buffer.flip();
  }

  /**
   * Verifies the headers of all pages, the levels of pages of version 2, and each page that has a
   * checksum.
   *
   * @param table of the file, for messages
   * @param isRead whether a column is read, by the name of the top-level column
   * @throws TableException if a header, a level or a checksum is wrong, with column and file
   */
  public void requireIntact(String table, Predicate<String> isRead) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    List<SchemaElement> schema = footer == null ? List.of() : footer.getSchema();
    List<SchemaElement> elements = schema.stream().filter(SchemaElement::isSetType).toList();
    List<PageLevels> leaves = PageLevels.of(schema);
    for (RowGroup group : footer == null ? List.<RowGroup>of() : footer.getRow_groups()) {
      for (int i = 0; i < Math.min(leaves.size(), group.getColumnsSize()); i++) {
        PageLevels levels = leaves.get(i);
        ColumnChunk chunk = group.getColumns().get(i);
        if (isHere(chunk) && isRead.test(chunk.getMeta_data().getPath_in_schema().get(0))) {
          requireWidth(table, chunk.getMeta_data(), elements.get(i));
          walk(
              table,
              chunk.getMeta_data(),
              (header, at) -> {
                if (header.isSetCrc()) {
                  requireSame(table, chunk.getMeta_data(), header, at, buffer);
                }
                String wrong =
                    header.isSetData_page_header_v2()
                        ? levels.misfit(
                            header, new PositionStream(channel, at, channel.size() - at))
                        : "";
                if (!wrong.isEmpty()) {
                  throw damaged(
                      table,
                      chunk.getMeta_data(),
                      format("the page at byte %,d has %s", at, wrong),
                      null);
                }
              });
        }
      }
    }
  }

  /** Refuses 64 bits for a type of 32; DuckDB checks this for all other types. */
  private void requireWidth(String table, ColumnMetaData column, SchemaElement element)
      throws TableException {
    if (column.getType() == Type.INT64
        && element.isSetLogicalType()
        && element.getLogicalType().isSetTIME()
        && element.getLogicalType().getTIME().getUnit().isSetMILLIS()) {
      throw damaged(table, column, "its times in milliseconds have 64 bits, not 32", null);
    }
  }

  /**
   * Requires that columns can be read without a key.
   *
   * @param isRead whether a column is read, by the name of the top-level column
   * @throws TableException if the footer, or a column that is read, is encrypted
   */
  public void requireNotEncrypted(Predicate<String> isRead) throws IOException {
    if (footer == null
        && channel.size() >= MAGIC.length
        && read(channel, 0, MAGIC.length).equals(ByteBuffer.wrap(ENCRYPTED_MAGIC))) {
      throw new TableException(
          "%s: it is encrypted: write the file without encryption".formatted(file));
    }
    for (RowGroup group : footer == null ? List.<RowGroup>of() : footer.getRow_groups()) {
      for (ColumnChunk chunk : group.getColumns()) {
        List<String> path = chunk.isSetCrypto_metadata() ? path(chunk) : List.of();
        if (!path.isEmpty() && isRead.test(path.get(0))) {
          throw new TableException(
              "%s, column '%s': it is encrypted: write the file without encryption"
                  .formatted(file, String.join(".", path)));
        }
      }
    }
  }

  private static List<String> path(ColumnChunk chunk) {
    if (chunk.getCrypto_metadata().isSetENCRYPTION_WITH_COLUMN_KEY()) {
      return chunk.getCrypto_metadata().getENCRYPTION_WITH_COLUMN_KEY().getPath_in_schema();
    }
    return chunk.isSetMeta_data() ? chunk.getMeta_data().getPath_in_schema() : List.of();
  }

  /** Whether its pages are in this file, and are not encrypted. */
  static boolean isHere(ColumnChunk chunk) {
    return chunk.isSetMeta_data() && !chunk.isSetFile_path() && !chunk.isSetCrypto_metadata();
  }

  private void requireSame(
      String table, ColumnMetaData column, PageHeader header, long at, ByteBuffer buffer)
      throws IOException {
    CRC32 checksum = new CRC32();
    long position = at;
    int left = header.getCompressed_page_size();
    while (left > 0) {
      buffer.clear().limit(Math.min(left, buffer.capacity()));
      int read = channel.read(buffer, position);
      if (read < 0) {
        throw damaged(table, column, format("the page at byte %,d is cut off", at), null);
      }
      checksum.update(buffer.flip());
      position += read;
      left -= read;
    }
    if ((int) checksum.getValue() != header.getCrc()) {
      throw damaged(
          table,
          column,
          format(
              "the checksum of the page at byte %,d is %08x, not %08x as the page says",
              at, (int) checksum.getValue(), header.getCrc()),
          null);
    }
  }

  /** Uses the pages of a column. */
  interface PageUse {
    /**
     * Uses a page.
     *
     * @param at offset of the bytes after the header
     */
    void page(PageHeader header, long at) throws IOException;
  }

  /** Returns the offset of a column's first page, or of its dictionary if it has one. */
  static long start(ColumnMetaData column) {
    long data = column.getData_page_offset();
    long dictionary = column.getDictionary_page_offset(); // Some writers write 0 for no dictionary.
    return column.isSetDictionary_page_offset() && dictionary >= MAGIC.length && dictionary < data
        ? dictionary
        : data;
  }

  /**
   * Reads the headers of all pages of a column.
   *
   * @return the offset of the end of its last page
   */
  long walk(String table, ColumnMetaData column, PageUse use) throws IOException {
    long at = start(column);
    long values = 0;
    while (values < column.getNum_values()) {
      // Some writers leave headers out of the size, so the size alone is no end.
      if (at >= start(column) + column.getTotal_compressed_size() && isStart(at)) {
        throw damaged(table, column, wrongCount(values, column), null);
      }
      PageHeader header;
      try {
        PositionStream in = new PositionStream(channel, at, channel.size() - at);
        header = Util.readPageHeader(in);
        at = in.position();
      } catch (IOException | RuntimeException e) {
        throw damaged(table, column, format("the page at byte %,d has no header", at), e);
      }
      int length = header.getCompressed_page_size();
      if (length < 0 || length > channel.size() - at) {
        throw damaged(
            table,
            column,
            format("the page at byte %,d would have %s", at, Counted.of(length, "byte")),
            null);
      }
      use.page(header, at);
      at += length;
      values += header.isSetData_page_header() ? header.getData_page_header().getNum_values() : 0;
      values +=
          header.isSetData_page_header_v2() ? header.getData_page_header_v2().getNum_values() : 0;
    }
    if (values != column.getNum_values()) {
      throw damaged(table, column, wrongCount(values, column), null);
    }
    return at;
  }

  /** Appends the bytes of the file from {@code from} to {@code end} to another. */
  void copy(long from, long end, FileChannel out) throws IOException {
    long at = from;
    while (at < end) {
      long copied = channel.transferTo(at, end - at, out);
      if (copied <= 0) {
        throw new EOFException("the file ends");
      }
      at += copied;
    }
  }

  /** Whether the first page of a column is at this offset. */
  private boolean isStart(long at) {
    return footer != null
        && footer.getRow_groups().stream()
            .flatMap(group -> group.getColumns().stream())
            .anyMatch(chunk -> isHere(chunk) && start(chunk.getMeta_data()) == at);
  }

  private static String wrongCount(long values, ColumnMetaData column) {
    return format(
        "its pages have %s, but the footer says %,d",
        Counted.of(values, "value"), column.getNum_values());
  }

  private TableException damaged(
      String table, ColumnMetaData column, String reason, @Nullable Exception e) {
    return new TableException(
        "table '%s', column '%s': %s is damaged: %s"
            .formatted(table, String.join(".", column.getPath_in_schema()), file, reason),
        e);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  /** Reads a part of a file with a small buffer, and knows its position. */
  static final class PositionStream extends InputStream {
    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocate(HEADER_BYTES).limit(0);
    private final long end;

    /** The offset after the data in the buffer. */
    private long next;

    PositionStream(FileChannel channel, long from, long length) {
      this.channel = channel;
      this.next = from;
      this.end = from + length;
    }

    long position() {
      return next - buffer.remaining();
    }

    private boolean fill() throws IOException {
      if (buffer.hasRemaining()) {
        return true;
      }
      buffer.clear().limit((int) Math.min(buffer.capacity(), end - next));
      int read = buffer.hasRemaining() ? channel.read(buffer, next) : -1;
      buffer.flip();
      next += Math.max(read, 0);
      return read > 0;
    }

    /** Skips bytes without reading them. */
    @Override
    public long skip(long bytes) {
      long from = position();
      long to = from + Math.min(Math.max(bytes, 0), end - from);
      buffer.limit(0);
      next = to;
      return to - from;
    }

    @Override
    public int read() throws IOException {
      return fill() ? buffer.get() & 0xff : -1;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      Objects.checkFromIndexSize(offset, length, bytes.length);
      if (length == 0) {
        return 0;
      }
      if (!fill()) {
        return -1;
      }
      int taken = Math.min(length, buffer.remaining());
      buffer.get(bytes, offset, taken);
      return taken;
    }
  }
}
