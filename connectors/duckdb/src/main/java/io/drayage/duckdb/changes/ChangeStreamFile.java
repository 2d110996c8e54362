package io.drayage.duckdb.changes;

import io.drayage.tables.TableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ReadChannel;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Finds the last whole commit in a file of changes by the lengths of its messages: the batch whose
 * {@code row} has a null is the last one of its commit. Only that one's values are read. A message
 * is (little-endian):
 *
 * <pre>
 *   0            4          8          8 + n           8 + n + body
 *   +------------+----------+----------+---------------+
 *   | 0xFFFFFFFF | i32 n    | metadata | body          |
 *   +------------+----------+----------+---------------+
 * </pre>
 */
final class ChangeStreamFile {
  private static final int PREFIX_BYTES = 8;
  private static final int CONTINUATION = -1;

  /** The limit of a message's metadata; a table of 100,000 columns has less. */
  private static final int MAX_METADATA_BYTES = 64 << 20;

  private static final int BLOCK_BYTES = 1 << 16;

  private final FileChannel file;
  private final long size;
  private final ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES);
  private long blockAt;

  private @Nullable Schema schema;
  private long position = -1;
  private long end;

  /**
   * Reads the end of a file.
   *
   * @throws IOException if the file holds something else than changes, with its name
   */
  ChangeStreamFile(Path path, FileChannel file, BufferAllocator memory) throws IOException {
    this.file = file;
    this.size = file.size();
    block.limit(0);
    Frame first = frame(0);
    if (first == null) {
      return; // Empty, a part of a schema, or other data: the caller can decide.
    }
    if (first.message.headerType() == MessageHeader.Schema) {
      schema = MessageSerializer.deserializeSchema(first.message);
    }
    if (schema == null || !ChangeSchema.isOfChanges(schema)) {
      throw foreign(path);
    }
    Frame last = null;
    for (Frame next = frame(first.end); next != null; next = frame(next.end)) {
      if (next.endsCommit()) {
        last = next;
      }
    }
    if (last != null) {
      end = last.end;
      position = position(schema, last.start, memory);
    }
  }

  static TableException foreign(Path path) {
    return new TableException("%s holds something else than changes".formatted(path));
  }

  /** A whole message. */
  private record Frame(long start, long end, Message message) {
    boolean endsCommit() {
      if (message.headerType() != MessageHeader.RecordBatch) {
        return false;
      }
      RecordBatch batch = (RecordBatch) message.header(new RecordBatch());
      return batch != null
          && batch.nodesLength() > ChangeSchema.ROW_INDEX
          && batch.nodes(ChangeSchema.ROW_INDEX).nullCount() == 1;
    }
  }

  /** Returns the message at {@code start}; null if there is none, or it is incomplete. */
  private @Nullable Frame frame(long start) throws IOException {
    ByteBuffer prefix = read(start, PREFIX_BYTES);
    if (prefix == null || prefix.getInt(0) != CONTINUATION) {
      return null;
    }
    int metadataBytes = prefix.getInt(4);
    if (metadataBytes <= 0 || metadataBytes > MAX_METADATA_BYTES) {
      return null;
    }
    ByteBuffer metadata = read(start + PREFIX_BYTES, metadataBytes);
    if (metadata == null) {
      return null;
    }
    try {
      Message message = Message.getRootAsMessage(metadata);
      long end = start + PREFIX_BYTES + metadataBytes + message.bodyLength();
      Frame frame = new Frame(start, end, message);
      boolean unused = frame.endsCommit(); // Damaged metadata throws here.
      return message.bodyLength() < 0 || end > size ? null : frame;
    } catch (RuntimeException e) {
      return null; // The machine crashed while it wrote.
    }
  }

  private @Nullable ByteBuffer read(long start, int bytes) throws IOException {
    if (start + bytes > size) {
      return null;
    }
    if (bytes > BLOCK_BYTES) {
      return fill(start, ByteBuffer.allocate(bytes)).flip().order(ByteOrder.LITTLE_ENDIAN);
    }
    if (start < blockAt || start + bytes > blockAt + block.limit()) {
      blockAt = start;
      block.clear().limit((int) Math.min(BLOCK_BYTES, size - start));
      ByteBuffer unused = fill(start, block);
    }
    byte[] copy = new byte[bytes];
    block.get((int) (start - blockAt), copy);
    return ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN);
  }

  private ByteBuffer fill(long start, ByteBuffer target) throws IOException {
    while (target.hasRemaining()) {
      if (file.read(target, start + target.position()) < 0) {
        throw new IOException("the file became shorter while it was read");
      }
    }
    return target;
  }

  private long position(Schema schema, long start, BufferAllocator memory) throws IOException {
    file.position(start);
    try (ArrowRecordBatch batch =
            MessageSerializer.deserializeRecordBatch(new ReadChannel(file), memory);
        VectorSchemaRoot root = VectorSchemaRoot.create(schema, memory)) {
      new VectorLoader(root).load(batch);
      BigIntVector snapshots = (BigIntVector) root.getVector(ChangeSchema.SNAPSHOT);
      return snapshots.get(root.getRowCount() - 1);
    }
  }

  /** Returns the schema at the beginning of the stream; null if it is incomplete. */
  @Nullable Schema schema() {
    return schema;
  }

  /** Returns the snapshot of the last whole commit, or before the changes; -1 if there is none. */
  long position() {
    return position;
  }

  /** Returns the offset of the end of the last whole commit. */
  long end() {
    return end;
  }

  /** Whether the file holds only a beginning of {@code stream}. */
  boolean isBeginningOf(byte[] stream) throws IOException {
    if (size > stream.length) {
      return false;
    }
    byte[] found = new byte[(int) size];
    fill(0, ByteBuffer.wrap(found));
    return Arrays.equals(found, 0, found.length, stream, 0, found.length);
  }
}
