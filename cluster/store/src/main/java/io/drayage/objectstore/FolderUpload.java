package io.drayage.objectstore;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Writes one file of a {@link FolderStore}. */
final class FolderUpload implements ObjectUpload {
  /**
   * Number of bytes in the page cache after which the file is forced, in parallel with the writing.
   * The disk stays busy, and little work is left for the end.
   */
  static final long FLUSH_BYTES = 32L << 20;

  /** The size of the first bytes, kept in memory. An object that fits is written at once. */
  static final int HEAD_BYTES = 64 << 10;

  /** The limit of attempts to link a file whose folder another process deletes before each link. */
  private static final int LINK_ATTEMPTS = 100;

  private final FolderStore store;
  private final String key;
  private final Path unfinished;
  private final Path finished;
  private final ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES);
  private CompletableFuture<Void> flush = CompletableFuture.completedFuture(null);
  private long unflushedBytes;

  /** The number of bytes that were written, or are in a piece. */
  private long position;

  /** The time that the writes of the current piece took, if they go into the page cache. */
  private long pieceNs;

  /** Null as long as nothing is written. Changed with the monitor. */
  private volatile @Nullable Written written;

  private volatile boolean ended;

  /** The file. */
  private record Written(UploadFile file, DirectPieces direct) {}

  FolderUpload(FolderStore store, String key, Path unfinished, Path finished) {
    this.store = store;
    this.key = key;
    this.unfinished = unfinished;
    this.finished = finished;
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    if (written == null && bytes.remaining() <= head.remaining()) {
      head.put(bytes);
      return;
    }
    try {
      Written target = written;
      if (target == null) {
        target = open();
        append(target, head.flip());
      }
      append(target, bytes);
    } catch (IOException e) {
      throw store.failed(key, e);
    }
  }

  /** Opens the file once; fails if the upload was aborted meanwhile. */
  private synchronized Written open() throws IOException {
    if (ended) {
      throw new IOException("the upload was aborted");
    }
    UploadFile file = store.openUpload(unfinished);
    Written opened =
        new Written(file, new DirectPieces(file, store.pieces, store.writers, store.way));
    written = opened;
    return opened;
  }

  private void append(Written target, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      int ofPiece = (int) (position % DirectPieces.PIECE_BYTES);
      if (ofPiece == 0 && store.way.nextIsDirect()) {
        target.direct().begin(position);
      }
      int count = Math.min(DirectPieces.PIECE_BYTES - ofPiece, bytes.remaining());
      if (target.direct().isFilling()) {
        target.direct().fill(bytes);
      } else {
        appendCached(target, bytes, count);
      }
      position += count;
    }
  }

  private void appendCached(Written target, ByteBuffer bytes, int count) throws IOException {
    int limit = bytes.limit();
    long beganNs = System.nanoTime();
    target.file().write(bytes.limit(bytes.position() + count), position);
    pieceNs += System.nanoTime() - beganNs;
    bytes.limit(limit);
    if ((position + count) % DirectPieces.PIECE_BYTES == 0) {
      store.way.written(false, pieceNs);
      pieceNs = 0;
    }
    unflushedBytes += count;
    if (unflushedBytes >= FLUSH_BYTES && flush.isDone()) {
      requireFlushed();
      unflushedBytes = 0;
      flushLater(target.file());
    }
  }

  private void flushLater(UploadFile file) {
    CompletableFuture<Void> next = new CompletableFuture<>();
    flush = next;
    try {
      store.flusher.execute(
          () -> {
            try {
              file.force();
              next.complete(null);
            } catch (IOException | RuntimeException | Error e) {
              next.completeExceptionally(e);
            }
          });
    } catch (RejectedExecutionException e) {
      // The store is closed: completing will fail.
      next.complete(null);
    }
  }

  private void requireFlushed() throws IOException {
    try {
      flush.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof IOException cause
          ? cause
          : new IOException(String.valueOf(e.getCause()), e);
    }
  }

  @Override
  public void complete() throws IOException {
    try {
      Written target = written;
      if (target == null) {
        target = open();
        append(target, head.flip());
      }
      target.direct().finish();
      requireFlushed();
      target.file().force();
      target.direct().close();
      target.file().close();
      Path folder = finished.resolveSibling("");
      link(folder);
      forceName(folder);
    } catch (IOException e) {
      throw store.failed(key, e);
    }
  }

  private void forceName(Path folder) throws IOException {
    try {
      store.folders.force(folder);
    } catch (IOException e) {
      throw new DurabilityUnknownException(store.name(), key, FolderAccess.reason(e), e);
    }
  }

  /** Links the file to its name. Makes the folder again if it was deleted meanwhile. */
  private void link(Path folder) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        store.folders.make(folder);
        link();
        return;
      } catch (NoSuchFileException | FileAlreadyExistsException e) {
        if (attempt == LINK_ATTEMPTS || !Files.exists(unfinished)) {
          throw e;
        }
      }
    }
  }

  /** The atomic step that creates the object. */
  private void link() throws IOException {
    try {
      store.link(finished, unfinished);
      ended = true;
    } catch (FileAlreadyExistsException e) {
      throw new ObjectExistsException(store.name(), key, e);
    }
    deleteQuietly();
  }

  @Override
  public void close() {
    Written target;
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
      target = written;
    }
    if (target != null) {
      target.direct().close();
      closeQuietly(target.file());
      deleteQuietly();
    }
  }

  private void deleteQuietly() {
    try {
      Files.deleteIfExists(unfinished);
    } catch (IOException e) {
      // deleteUnfinished will delete it.
    }
  }

  private static void closeQuietly(UploadFile file) {
    try {
      file.close();
    } catch (IOException e) {
      // The file is deleted anyway.
    }
  }
}
