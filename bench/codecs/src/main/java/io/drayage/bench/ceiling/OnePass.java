package io.drayage.bench.ceiling;

import io.drayage.bench.child.ControlMessages.Listening;
import io.drayage.internal.DirectWrites;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Moves values from arrays of one process into new arrays of another in one pass, with the least
 * work that Java 17 needs for it. Each core has a connection with a thread at either end. The
 * source copies 128 KiB of an array into direct memory, adds them to a CRC-32C and writes them, all
 * while they are in the cache. The sink reads as many bytes, adds them to a CRC-32C and copies them
 * into a new array. A stored pass also writes each MiB past the page cache, where the file system
 * can, and forces the file. There are no frames, no codec, and no second thread for any byte.
 *
 * <p>The CPU time is that of the threads of the pass, without the compiler's and the collector's. A
 * source is not thread-safe.
 */
final class OnePass implements AutoCloseable {
  /** The bytes that a thread writes, or reads, between two steps. They fit into a core's cache. */
  private static final int PIECE_BYTES = 128 << 10;

  private static final int ARRAY_BYTES = 1 << 20;

  /** The alignment of writes past the page cache. */
  private static final int BLOCK_BYTES = 4096;

  /** Number of arrays of all threads: for each thread more bytes than the cache of a core. */
  private static final int ARRAYS = 64;

  private static final int MAX_THREADS = 8;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final CeilingRow.RowKind kind;
  private final Path folder;
  private final int connections = Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors());
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicLong cpuNs = new AtomicLong();
  private final AtomicLong files = new AtomicLong();
  private final long[][][] arrays;
  private final ServerSocketChannel server;

  /**
   * @param kind one of the passes
   * @param folder for the files of a stored pass; it exists
   */
  OnePass(CeilingRow.RowKind kind, Path folder) throws IOException {
    this.kind = kind;
    this.folder = folder;
    this.arrays = new long[connections][ARRAYS / connections][ARRAY_BYTES / Long.BYTES];
    this.server = ServerSocketChannel.open();
  }

  /** Returns the number of bytes that a pass of about {@code bytes} moves. */
  long rounded(long bytes) {
    long eachArrays = Math.max(1, bytes / connections / ARRAY_BYTES);
    return eachArrays * ARRAY_BYTES * connections;
  }

  /** Returns the CPU time of all threads that have ended. */
  long cpuNs() {
    return cpuNs.get();
  }

  /**
   * Makes this the sink of passes of {@code bytes} to {@code address}.
   *
   * @return the address with its port
   * @throws IOException if it cannot be bound, or the disk of a stored pass has no room
   */
  InetSocketAddress listen(Listening address, long bytes) throws IOException {
    if (isStored()) {
      StoreProbe.requireRoom(bytes, folder);
    }
    server.bind(address.address());
    Future<?> unused = threads.submit(this::acceptAll);
    return (InetSocketAddress) server.getLocalAddress();
  }

  private Void acceptAll() throws IOException {
    try {
      for (int number = 0; ; number++) {
        SocketChannel accepted = server.accept();
        long[][] own = arrays[number % connections];
        Future<?> unused = threads.submit(() -> receiveAll(accepted, own));
      }
    } catch (AsynchronousCloseException closed) {
      return null;
    }
  }

  private Void measured(Callable<Void> work) throws Exception {
    long beganNs = THREADS.getCurrentThreadCpuTime();
    try {
      return work.call();
    } finally {
      cpuNs.addAndGet(THREADS.getCurrentThreadCpuTime() - beganNs);
    }
  }

  /**
   * Moves {@link #rounded} bytes to a sink, and waits until it has all of them.
   *
   * @throws IOException if the sink is gone
   */
  long send(InetSocketAddress sink, long bytes) throws IOException, InterruptedException {
    long ofEach = rounded(bytes) / connections;
    List<Future<Void>> sent = new ArrayList<>();
    for (long[][] own : arrays) {
      sent.add(threads.submit(() -> measured(() -> send(sink, ofEach, own))));
    }
    for (Future<Void> one : sent) {
      try {
        one.get();
      } catch (ExecutionException e) {
        throw new IOException("the pass failed: " + e.getCause().getMessage(), e.getCause());
      }
    }
    return rounded(bytes);
  }

  private Void send(InetSocketAddress sink, long bytes, long[][] from) throws IOException {
    try (SocketChannel channel = SocketChannel.open(sink)) {
      ByteBuffer piece = direct(PIECE_BYTES);
      CRC32C checksum = new CRC32C();
      for (long at = 0; at < bytes; at += PIECE_BYTES) {
        piece.clear();
        if (copies()) {
          int index = (int) (at % ARRAY_BYTES) / Long.BYTES;
          piece.asLongBuffer().put(from[array(at, from)], index, PIECE_BYTES / Long.BYTES);
        }
        checksum.update(piece);
        piece.flip();
        while (piece.hasRemaining()) {
          channel.write(piece);
        }
      }
      channel.shutdownOutput();
      if (channel.read(piece.clear()) != 1) {
        throw new IOException("the sink has failed");
      }
    }
    return null;
  }

  /** Answers after the measurement, whose result is then complete. */
  private Void receiveAll(SocketChannel channel, long[][] into) throws Exception {
    Path file = folder.resolve("pass-" + files.incrementAndGet());
    try (channel) {
      measured(() -> receive(channel, into, file));
      channel.write(ByteBuffer.allocate(1));
    } finally {
      Files.deleteIfExists(file);
    }
    return null;
  }

  private Void receive(SocketChannel channel, long[][] into, Path file) throws IOException {
    if (!isStored()) {
      receive(channel, into, (FileChannel) null);
      return null;
    }
    try (FileChannel stored = open(file)) {
      receive(channel, into, stored);
      stored.force(false);
    }
    return null;
  }

  private static FileChannel open(Path file) throws IOException {
    try {
      return FileChannel.open(
          file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, DirectWrites.option());
    } catch (IOException | UnsupportedOperationException withPageCache) {
      return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }
  }

  private void receive(SocketChannel channel, long[][] into, @Nullable FileChannel stored)
      throws IOException {
    ByteBuffer block = direct(ARRAY_BYTES);
    CRC32C checksum = new CRC32C();
    for (long at = 0; ; at += ARRAY_BYTES) {
      long[] values = copies() ? new long[ARRAY_BYTES / Long.BYTES] : into[0];
      for (int begin = 0; begin < ARRAY_BYTES; begin += PIECE_BYTES) {
        int offset = stored == null ? 0 : begin; // A stored MiB stays until it is written.
        ByteBuffer piece = block.slice(offset, PIECE_BYTES).order(ByteOrder.nativeOrder());
        while (piece.hasRemaining()) {
          if (channel.read(piece) < 0) {
            return;
          }
        }
        checksum.update(piece.flip());
        if (copies()) {
          piece.flip().asLongBuffer().get(values, begin / Long.BYTES, PIECE_BYTES / Long.BYTES);
        }
      }
      into[array(at, into)] = values;
      if (stored != null) {
        block.clear();
        while (block.hasRemaining()) {
          stored.write(block);
        }
      }
    }
  }

  private boolean isStored() {
    return kind == CeilingRow.RowKind.PASS_STORED;
  }

  private boolean copies() {
    return kind != CeilingRow.RowKind.PASS_WIRE;
  }

  private static int array(long at, long[][] arrays) {
    return (int) (at / ARRAY_BYTES % arrays.length);
  }

  private static ByteBuffer direct(int bytes) {
    return ByteBuffer.allocateDirect(bytes + BLOCK_BYTES)
        .alignedSlice(BLOCK_BYTES)
        .slice(0, bytes)
        .order(ByteOrder.nativeOrder());
  }

  @Override
  public void close() throws IOException {
    server.close();
    threads.shutdownNow();
  }
}
