package io.drayage.duckdb.changes;

import static io.drayage.internal.Texts.format;

import io.drayage.changes.ChangeTarget;
import io.drayage.database.ForeignDatabaseException;
import io.drayage.internal.Begun;
import io.drayage.store.StoreSnapshot;
import io.drayage.tables.TableException;
import io.drayage.worker.ChangedTable;
import io.drayage.worker.CommittedChange;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Objects;
import java.util.UUID;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Writes the changes of a table as an Arrow IPC stream of batches of rows. The last row of each
 * commit marks its end. Not thread-safe.
 */
public final class ArrowChanges implements ChangeTarget {
  private static final int BUFFER_BYTES = 1 << 16;

  private final BufferAllocator memory = new RootAllocator();
  private final String table;
  private final boolean before;
  private final OutputStream out;
  private final WriteChannel channel;
  private final @Nullable Path path;
  private final @Nullable FileChannel file;
  private final @Nullable ChangeStreamFile found;
  private @Nullable ChangeBatch batch;

  private ArrowChanges(
      String table,
      boolean before,
      OutputStream out,
      @Nullable Path path,
      @Nullable FileChannel file)
      throws IOException {
    this.table = table;
    this.before = before;
    this.out = new BufferedOutputStream(out, BUFFER_BYTES);
    this.channel = new WriteChannel(Channels.newChannel(this.out));
    this.path = path;
    this.file = file;
    this.found = file == null || path == null ? null : new ChangeStreamFile(path, file, memory);
  }

  public static ArrowChanges toReader(String table, boolean before, OutputStream reader)
      throws IOException {
    return new ArrowChanges(table, before, reader, null, null);
  }

  public static ArrowChanges toFile(String table, boolean before, Path path) throws IOException {
    FileChannel file = ChangeTarget.openFile(path);
    try (Begun begun = new Begun(file)) {
      return begun.keep(
          new ArrowChanges(table, before, Channels.newOutputStream(file), path, file));
    }
  }

  @Override
  public long position() {
    return found == null ? -1 : found.position();
  }

  @Override
  public void begin(UUID database, StoreSnapshot snapshot) throws IOException {
    Schema schema = ChangeSchema.of(table, before, database, snapshot);
    byte[] head = head(schema);
    if (found != null && file != null && path != null) {
      if (found.schema() == null && !found.isBeginningOf(head)) {
        throw ChangeStreamFile.foreign(path);
      }
      Schema there = found.schema();
      if (there != null && !database.toString().equals(ChangeSchema.database(there))) {
        throw new ForeignDatabaseException(
            "%s holds changes of database %s, and this is database %s: name another file"
                .formatted(path, ChangeSchema.database(there), database));
      }
      if (there != null && !schema.equals(there)) {
        throw new TableException(
            "%s holds changes of other columns than table '%s' has%s: name another file"
                .formatted(path, table, before ? " with --before" : ""));
      }
      file.truncate(found.end()).position(found.end());
    }
    batch = new ChangeBatch(schema, memory);
    if (position() < 0) {
      out.write(head);
      batch.addStart(snapshot.timestamp());
      write(batch);
      sync();
    }
  }

  private static byte[] head(Schema schema) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    MessageSerializer.serialize(new WriteChannel(Channels.newChannel(head)), schema);
    return head.toByteArray();
  }

  @Override
  public void write(CommittedChange change) throws IOException {
    ChangeBatch rows = Objects.requireNonNull(batch, "begin comes first");
    if (change.droppedTables().contains(table)) {
      throw new TableException(
          format(
              "table '%s' was dropped in snapshot %d: a stream has the columns of one table",
              table, change.snapshot()));
    }
    for (ChangedTable changed : change.tables()) {
      if (changed.schema().name().equals(table)) {
        changed.<IOException>forEachRow(
            row -> {
              if (rows.isFull()) {
                write(rows);
              }
              rows.addRow(change, row);
            });
      }
    }
    if (rows.isFull()) {
      write(rows);
    }
    rows.addCommit(change);
    write(rows);
    sync();
  }

  private void write(ChangeBatch rows) throws IOException {
    try (ArrowRecordBatch vectors = new VectorUnloader(rows.take()).getRecordBatch()) {
      MessageSerializer.serialize(channel, vectors);
    } catch (IllegalArgumentException e) {
      throw new TableException("table '%s', %s".formatted(table, e.getMessage()), e);
    }
  }

  private void sync() throws IOException {
    out.flush();
    if (file != null) {
      file.force(false);
    }
  }

  @Override
  public void end() throws IOException {
    ArrowStreamWriter.writeEndOfStream(channel, IpcOption.DEFAULT);
    sync();
  }

  @Override
  public void close() throws IOException {
    if (batch != null) {
      batch.close();
    }
    memory.close();
    if (file != null) {
      file.close();
    }
  }
}
