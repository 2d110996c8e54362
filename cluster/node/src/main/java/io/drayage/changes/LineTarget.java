package io.drayage.changes;

import io.drayage.store.StoreSnapshot;
import io.drayage.worker.CommittedChange;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes {@link ChangeLines} to a file or to a reader. */
final class LineTarget implements ChangeTarget {
  private final ChangeLines lines;
  private final Writer to;
  private final @Nullable ChangeFile file;

  private LineTarget(ChangeLines lines, Writer to, @Nullable ChangeFile file) {
    this.lines = lines;
    this.to = to;
    this.file = file;
  }

  /**
   * Opens a target.
   *
   * @param out a file; null for {@code reader}
   */
  static LineTarget open(ChangeLines lines, @Nullable Path out, Writer reader) throws IOException {
    if (out == null) {
      return new LineTarget(lines, reader, null);
    }
    ChangeFile file = ChangeFile.open(out);
    return new LineTarget(lines, file.writer(), file);
  }

  @Override
  public long position() {
    return file == null ? -1 : file.position();
  }

  @Override
  public void begin(UUID database, StoreSnapshot snapshot) throws IOException {
    if (file != null) {
      file.requireOf(database);
    }
    if (position() < 0) {
      ChangeLines.start(database, snapshot.timestamp(), to);
      confirm();
    }
  }

  @Override
  public void write(CommittedChange change) throws IOException {
    lines.write(change, to);
    confirm();
  }

  private void confirm() throws IOException {
    if (file != null) {
      file.sync();
    } else {
      to.flush();
    }
  }

  @Override
  public void end() {}

  @Override
  public void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }
}
