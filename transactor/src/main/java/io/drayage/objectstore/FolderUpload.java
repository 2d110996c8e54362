package io.drayage.objectstore;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** Writes one file; see {@link FolderStore}. */
final class FolderUpload implements ObjectUpload {
  /**
   * Number of bytes after which the file is forced, in parallel with the writing: it keeps the disk
   * busy and leaves little for the end.
   */
  static final long FLUSH_BYTES = 32L << 20;

  private final FolderStore store;
  private final String key;
  private final UploadFile file;
  private final Path unfinished;
  private final Path finished;
  private final Executor flusher;
  private CompletableFuture<Void> flush = CompletableFuture.completedFuture(null);
  private long unflushedBytes;
  private volatile boolean ended;

  FolderUpload(
      FolderStore store,
      String key,
      UploadFile file,
      Path unfinished,
      Path finished,
      Executor flusher) {
    this.store = store;
    this.key = key;
    this.file = file;
    this.unfinished = unfinished;
    this.finished = finished;
    this.flusher = flusher;
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    unflushedBytes += bytes.remaining();
    try {
      file.write(bytes);
    } catch (IOException e) {
      throw store.failed(key, e);
    }
    if (unflushedBytes >= FLUSH_BYTES && flush.isDone()) {
      requireFlushed();
      unflushedBytes = 0;
      flushLater();
    }
  }

  private void flushLater() {
    CompletableFuture<Void> next = new CompletableFuture<>();
    flush = next;
    try {
      flusher.execute(
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
          ? store.failed(key, cause)
          : new ObjectStoreException(store.name(), key, String.valueOf(e.getCause()), e);
    }
  }

  @Override
  public void complete() throws IOException {
    requireFlushed();
    try {
      file.force();
      file.close();
      store.makeFolders(finished);
      link();
      FolderStore.forceFolder(finished.resolveSibling("."));
    } catch (IOException e) {
      throw store.failed(key, e);
    }
  }

  /** The atomic step that creates the object. */
  private void link() throws IOException {
    try {
      Files.createLink(finished, unfinished);
      ended = true;
    } catch (FileAlreadyExistsException e) {
      throw new ObjectExistsException(store.name(), key, e);
    } catch (UnsupportedOperationException e) {
      throw new FileSystemException(
          finished.toString(), null, "the file system of the folder has no hard links");
    }
    deleteQuietly();
  }

  @Override
  public void close() {
    if (ended) {
      return;
    }
    ended = true;
    closeQuietly();
    deleteQuietly();
  }

  private void deleteQuietly() {
    try {
      Files.deleteIfExists(unfinished);
    } catch (IOException e) {
      // deleteUnfinished will delete it.
    }
  }

  private void closeQuietly() {
    try {
      file.close();
    } catch (IOException e) {
      // The file is deleted anyway.
    }
  }
}
