package io.drayage.snapshot;

import io.drayage.internal.Begun;
import io.drayage.internal.DaemonThreads;
import io.drayage.memory.BufferPool;
import io.drayage.memory.Lease;
import io.drayage.objectstore.ObjectStore;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * Reads blocks or pieces of objects, several at a time before their use. Thread-safe. Owns its
 * threads.
 */
final class BlockReader implements AutoCloseable {
  private final ObjectStore store;
  private final int readAhead;
  private final ExecutorService readers;

  /**
   * @param store not closed by this object
   * @param threads number of blocks that are read at a time
   * @param readAhead number of blocks that are read or wait for their use
   */
  BlockReader(ObjectStore store, int threads, int readAhead) {
    this.store = store;
    this.readAhead = readAhead;
    this.readers = Executors.newFixedThreadPool(threads, new DaemonThreads("load-read"));
  }

  /** The consumer of blocks or pieces. */
  interface BlockUse {
    /**
     * Consumes a block or a piece.
     *
     * @param block its number
     * @param bytes must be released
     * @return whether to go on
     */
    boolean take(int block, Lease bytes) throws IOException, InterruptedException;
  }

  /** Reads the block or piece of a number. */
  private interface Source {
    Lease read(int number) throws IOException, InterruptedException;
  }

  private record Reading(int block, Future<Lease> bytes) {}

  /**
   * Reads blocks in order, several at a time before their use, and compares their digests.
   *
   * @return whether the consumer has accepted all of them
   * @throws ExecutionException with the reason why a block cannot be read
   */
  boolean read(StoredBytes data, IntStream blocks, BufferPool buffers, BlockUse use)
      throws IOException, InterruptedException, ExecutionException {
    return read(
        blocks,
        block -> {
          Lease lease = buffers.lease(data.digest().blockBytes(block));
          try (Begun begun = new Begun(lease::close)) {
            data.readBlock(store, block, lease.buffer());
            return begun.keep(lease);
          }
        },
        use);
  }

  /**
   * Reads pieces in order, several at a time before their use, and verifies their frames.
   *
   * @throws ExecutionException with the reason why a piece cannot be read
   */
  boolean readPieces(
      StoredBytes data, List<FrameIndex.Piece> pieces, BufferPool buffers, BlockUse use)
      throws IOException, InterruptedException, ExecutionException {
    return read(
        IntStream.range(0, pieces.size()),
        number -> {
          FrameIndex.Piece piece = pieces.get(number);
          Lease lease = buffers.lease(piece.bytes());
          try (Begun begun = new Begun(lease::close)) {
            data.readFrames(store, piece, lease.buffer());
            return begun.keep(lease);
          }
        },
        use);
  }

  private boolean read(IntStream blocks, Source source, BlockUse use)
      throws IOException, InterruptedException, ExecutionException {
    PrimitiveIterator.OfInt rest = blocks.iterator();
    Queue<Reading> reading = new ArrayDeque<>();
    try {
      boolean goOn = true;
      while (goOn && (rest.hasNext() || !reading.isEmpty())) {
        while (reading.size() < readAhead && rest.hasNext()) {
          int block = rest.nextInt();
          reading.add(new Reading(block, readers.submit(() -> source.read(block))));
        }
        Reading next = reading.remove();
        goOn = use.take(next.block, next.bytes.get());
      }
      return goOn;
    } finally {
      reading.forEach(each -> drop(each.bytes));
    }
  }

  /** Releases a block that was read but is not used. */
  private static void drop(Future<Lease> reading) {
    try {
      reading.get().close();
    } catch (ExecutionException e) {
      // There is no block to release.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    readers.shutdownNow();
  }
}
