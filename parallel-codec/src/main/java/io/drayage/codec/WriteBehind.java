package io.drayage.codec;

import io.drayage.codec.pool.DaemonThreads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Collects what is written to a file in large buffers, and has another thread write them. A failure
 * is thrown by the call after. Not thread-safe.
 */
final class WriteBehind implements WritableByteChannel {
  private static final int BUFFER_BYTES = 4 << 20;

  private final ExecutorService writer =
      Executors.newSingleThreadExecutor(new DaemonThreads("write-behind"));
  private final FileChannel file;
  private ByteBuffer filling = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private ByteBuffer writing = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private CompletableFuture<Void> written = CompletableFuture.completedFuture(null);
  private boolean open = true;

  /**
   * @param file is written from its position on, and closed with this
   */
  WriteBehind(FileChannel file) {
    this.file = file;
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    int bytes = source.remaining();
    while (source.hasRemaining()) {
      int taken = Math.min(source.remaining(), filling.remaining());
      filling.put(filling.position(), source, source.position(), taken);
      filling.position(filling.position() + taken);
      source.position(source.position() + taken);
      if (!filling.hasRemaining()) {
        pass();
      }
    }
    return bytes;
  }

  /** Has the full buffer written, once the one before is. */
  private void pass() throws IOException {
    await();
    ByteBuffer full = filling.flip();
    filling = writing.clear();
    writing = full;
    written =
        CompletableFuture.runAsync(
            () -> {
              try {
                while (full.hasRemaining()) {
                  file.write(full);
                }
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            },
            writer);
  }

  private void await() throws IOException {
    try {
      written.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof UncheckedIOException failure) {
        throw failure.getCause();
      }
      throw e;
    }
  }

  /** Returns when everything is written. */
  void flush() throws IOException {
    pass();
    await();
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  /** Does not wait for what was not flushed. */
  @Override
  public void close() throws IOException {
    open = false;
    writer.shutdown();
    file.close();
  }
}
