package io.drayage.objectstore;

import io.drayage.memory.BufferPool;
import io.drayage.memory.ByteBudget;
import io.drayage.memory.Lease;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The pieces of one file that are written past the page cache. The pieces are copied into aligned
 * buffers of the store. Threads of the store write several pieces. One thread fills, any may {@link
 * #close}.
 */
final class DirectPieces implements AutoCloseable {
  static final int PIECE_BYTES = 1 << 20;

  private static final String ABORTED = "the upload was aborted";

  private final UploadFile file;
  private final BufferPool buffers;
  private final ByteBudget.Share share;
  private final Executor writers;
  private final WriteWay way;

  /** The piece that is being filled; null also while bytes are added, and when this is closed. */
  private final AtomicReference<@Nullable Lease> piece = new AtomicReference<>();

  private volatile boolean closed;
  private long offset;

  /** Guarded by this; {@code failure} likewise. */
  private int inFlight;

  private @Nullable IOException failure;

  /**
   * @param buffers of {@link #PIECE_BYTES}, aligned
   */
  DirectPieces(UploadFile file, BufferPool buffers, Executor writers, WriteWay way) {
    this.file = file;
    this.buffers = buffers;
    this.share = buffers.openShare();
    this.writers = writers;
    this.way = way;
  }

  /** Whether a piece is begun, so that the next bytes belong to it. */
  boolean isFilling() {
    return piece.get() != null;
  }

  /** Begins a piece. Waits for a buffer. */
  void begin(long at) throws IOException {
    requireGood();
    CompletableFuture<Boolean> acquired = new CompletableFuture<>();
    share.acquire(
        PIECE_BYTES,
        new ByteBudget.AcquireListener() {
          @Override
          public void onAcquired() {
            acquired.complete(true);
          }

          @Override
          public void onShareClosed() {
            acquired.complete(false);
          }
        });
    try {
      if (!acquired.get()) {
        throw new IOException(ABORTED);
      }
    } catch (InterruptedException e) {
      // A buffer that comes later is released at once, because nobody waits for it any more.
      CompletableFuture<Void> unused = acquired.thenAccept(this::releaseIf);
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a share does not fail", e);
    }
    offset = at;
    keep(buffers.leaseAcquired(PIECE_BYTES, share::release));
  }

  /** Keeps the piece until more bytes come, or this is closed. */
  private void keep(Lease filling) {
    piece.set(filling);
    if (closed) {
      drop();
    }
  }

  private void drop() {
    Lease dropped = piece.getAndSet(null);
    if (dropped != null) {
      dropped.release();
    }
  }

  private void releaseIf(boolean acquired) {
    if (acquired) {
      share.release(PIECE_BYTES);
    }
  }

  /** Adds to the piece as many bytes as fit. A full piece is written. */
  void fill(ByteBuffer bytes) throws IOException {
    Lease filling = piece.getAndSet(null);
    if (filling == null) {
      throw new IOException(ABORTED);
    }
    ByteBuffer target = filling.buffer();
    int count = Math.min(target.remaining(), bytes.remaining());
    target.put(bytes.slice(bytes.position(), count));
    bytes.position(bytes.position() + count);
    if (target.hasRemaining()) {
      keep(filling);
    } else {
      target.flip();
      submit(filling, offset);
    }
  }

  private void submit(Lease full, long at) throws IOException {
    synchronized (this) {
      inFlight++;
    }
    try {
      writers.execute(() -> write(full, at));
    } catch (RejectedExecutionException e) {
      full.release();
      ended(new IOException("the store is closed", e));
      requireGood();
    }
  }

  private void write(Lease full, long at) {
    IOException failed = null;
    try (full) {
      long beganNs = System.nanoTime();
      if (file.writeDirect(full.buffer(), at)) {
        way.written(true, System.nanoTime() - beganNs);
      } else {
        way.excludeDirect();
        file.write(full.buffer(), at);
      }
    } catch (IOException e) {
      failed = e;
    } catch (RuntimeException | Error e) {
      failed = new IOException(e.toString(), e);
    }
    ended(failed);
  }

  private synchronized void ended(@Nullable IOException failed) {
    inFlight--;
    if (failure == null) {
      failure = failed;
    }
    notifyAll();
  }

  private synchronized void requireGood() throws IOException {
    if (failure != null) {
      throw failure;
    }
  }

  /** Waits until all pieces are written. The last bytes are written through the page cache. */
  void finish() throws IOException {
    Lease last = piece.getAndSet(null);
    if (last != null) {
      try (last) {
        file.write(last.buffer().flip(), offset);
      }
    }
    synchronized (this) {
      while (inFlight > 0) {
        try {
          wait();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IOException("interrupted", e);
        }
      }
    }
    requireGood();
  }

  /** Drops the current piece, and releases a waiting thread. Pieces in flight end by themselves. */
  @Override
  public void close() {
    closed = true;
    share.close();
    drop();
  }
}
