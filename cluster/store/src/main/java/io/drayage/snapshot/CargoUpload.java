package io.drayage.snapshot;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.internal.DaemonThreads;
import io.drayage.internal.FatalErrors;
import io.drayage.memory.Lease;
import io.drayage.objectstore.ObjectDigest;
import io.drayage.objectstore.ObjectStore;
import io.drayage.receive.ShipmentRecording;
import io.drayage.segment.SegmentHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the frames of one shipment: few bytes in memory, for the entry of the commit; more, or
 * those of a fragment, in the object store.
 *
 * <p>The threads that have decoded frames queue them with their leases, and count them as a loader
 * will. One thread writes and releases the frames, so that the credit bounds the queue. Only if the
 * result is the seal of the decoded cargo, the seal completes the file. The commit decides whether
 * the file becomes a snapshot. The lock is held for a few instructions only, never while bytes are
 * written.
 */
public final class CargoUpload implements ShipmentRecording {
  /** The limit of the bytes, with their seal, that the entry holds. */
  private static final int MAX_IN_ENTRY_BYTES = 4 << 10;

  private static final int SEAL_BYTES = new Seal(0, 0).toFrame(FrameType.SEAL, 0).remaining();

  private enum State {
    WRITING,
    /** All frames are here; the file is being completed. */
    SEALED,
    STORED,
    FAILED,
    DISCARDED
  }

  private final ObjectStore store;
  private final ShipmentHeader header;
  private final Consumer<ShipmentException> onFailed;
  private final Executor executor;
  private final Consumer<CargoUpload> onEnded;
  private final String key;
  private final long begunNs = System.nanoTime();
  private final CompletableFuture<SnapshotContents> stored = new CompletableFuture<>();
  private final Queue<Lease> frames = new ArrayDeque<>();

  /** The digest of the frames, as a loader will compute it. */
  private final Seal.Digest kept = new Seal.Digest();

  // Guarded by this:
  /** All frames so far while they are few; null once they are written to the object store. */
  private @Nullable List<ByteBuffer> few = new ArrayList<>();

  /** The length of {@link #few}, with the seal. */
  private int fewBytes = SEAL_BYTES;

  private State state = State.WRITING;
  private @Nullable Seal seal;
  private @Nullable DigestingUpload upload;
  private long dataBytes;
  private int manifests;
  private int chunks;
  private long sealedNs;

  /** The time when the current operation of the store began; 0 if there is none. */
  private long busySinceNs;

  CargoUpload(
      ObjectStore store,
      ShipmentHeader header,
      Consumer<ShipmentException> onFailed,
      Executor executor,
      Consumer<CargoUpload> onEnded) {
    this.store = store;
    this.header = header;
    this.onFailed = onFailed;
    this.executor = executor;
    this.onEnded = onEnded;
    this.key = SnapshotKeys.data(header.wholeTransaction());
  }

  /** Begins to write to the object store, if the frames may not be in an entry. */
  void begin() {
    if (header.options().fragment() != null) {
      synchronized (this) {
        few = null;
      }
      executor.execute(this::write);
    }
  }

  /**
   * Completes when the frames and their seal are durable in the object store, or will be with the
   * entry. Fails with a {@link ShipmentException} if they cannot be stored or were discarded.
   */
  public CompletableFuture<SnapshotContents> stored() {
    return stored;
  }

  @Override
  public void keep(Lease frame) {
    boolean isQueued;
    boolean isFirst;
    synchronized (this) {
      boolean wasFew = few != null;
      isQueued = tryQueue(frame);
      isFirst = isQueued && wasFew;
    }
    if (!isQueued) {
      frame.close();
    }
    if (isFirst) {
      DaemonThreads.execute(executor, this::write);
    }
  }

  /** Queues a frame for the object store. Returns false if the frame is not needed any more. */
  private synchronized boolean tryQueue(Lease frame) {
    if (state != State.WRITING) {
      return false;
    }
    count(frame.buffer());
    if (few != null && fewBytes + frame.remainingBytes() <= MAX_IN_ENTRY_BYTES) {
      ByteBuffer copy = ByteBuffer.allocate(frame.remainingBytes()).order(ByteOrder.LITTLE_ENDIAN);
      few.add(copy.put(frame.view()).flip());
      fewBytes += frame.remainingBytes();
      return false;
    }
    if (few != null) {
      few.forEach(each -> frames.add(Lease.ofHeap(each)));
      few = null;
    }
    frames.add(frame);
    notifyAll();
    return true;
  }

  private void count(ByteBuffer frame) {
    dataBytes += frame.remaining();
    switch (FrameHeader.type(frame)) {
      case MANIFEST -> manifests++;
      case SEGMENT -> kept.add(SegmentHeader.segmentIndex(frame), FrameHeader.checksum(frame));
      default -> kept.add(chunks++, FrameHeader.checksum(frame));
    }
  }

  @Override
  public synchronized boolean isBehind() {
    return busySinceNs != 0 || !frames.isEmpty();
  }

  @Override
  public void seal(Seal decoded) throws ShipmentException {
    List<ByteBuffer> all;
    synchronized (this) {
      sealedNs = System.nanoTime();
      if (state != State.WRITING) {
        return;
      }
      requireKept(decoded);
      seal = decoded;
      state = State.SEALED;
      all = few;
      notifyAll();
    }
    if (all != null && end(State.STORED) == State.SEALED) {
      stored.complete(new SnapshotContents(bytesOf(all, decoded), header, decoded));
    }
  }

  private StoredBytes bytesOf(List<ByteBuffer> all, Seal end) {
    ByteBuffer bytes = ByteBuffer.allocate(fewBytes);
    all.forEach(bytes::put);
    return StoredBytes.inManifest(
        header.transactionId(), bytes.put(end.toFrame(FrameType.SEAL, 0)).flip());
  }

  /** Fails if a loader could not read the frames, so that they are not logged. */
  private void requireKept(Seal decoded) throws ShipmentException {
    int manifestsOfPipeline = header.pipeline() == ShipmentHeader.Pipeline.SEGMENTS ? 1 : 0;
    if (!kept.seal().equals(decoded) || manifests != manifestsOfPipeline) {
      throw new ShipmentException(
          Fault.INTERNAL,
          format(
              "the recording of transaction %s is not its cargo: %d manifests and %s were recorded, %d and %s were decoded",
              header.transactionId(), manifests, kept.seal(), manifestsOfPipeline, decoded));
    }
  }

  /** The bytes of the frames so far. */
  public synchronized long dataBytes() {
    return dataBytes;
  }

  /** The time when the shipment was accepted, by {@link System#nanoTime}. */
  public long begunNs() {
    return begunNs;
  }

  /** The time when the whole cargo was received, by {@link System#nanoTime}. */
  public synchronized long sealedNs() {
    return sealedNs;
  }

  @Override
  public void discard() {
    State before = end(State.DISCARDED);
    if (before == State.STORED && few == null) {
      DaemonThreads.execute(executor, this::deleteQuietly); // Else a later primary deletes it.
    } else if (before != State.FAILED && before != State.DISCARDED) {
      stored.completeExceptionally(
          new ShipmentException(Fault.CANCELLED, "the snapshot was discarded"));
      abortUpload();
    }
  }

  /**
   * Moves to a final state, unless it has one already: then stored data can only be discarded.
   *
   * @return the state before
   */
  private State end(State end) {
    State before;
    synchronized (this) {
      before = state;
      if (before == State.WRITING
          || before == State.SEALED
          || (before == State.STORED && end == State.DISCARDED)) {
        state = end;
      }
      notifyAll();
    }
    if (before == State.WRITING || before == State.SEALED) {
      onEnded.accept(this);
      dropFrames();
    }
    return before;
  }

  private void dropFrames() {
    for (Lease frame = poll(); frame != null; frame = poll()) {
      frame.close();
    }
  }

  private synchronized @Nullable Lease poll() {
    return frames.poll();
  }

  /** Aborts on another thread, because a stalled store may block the abort, too. */
  private void abortUpload() {
    DigestingUpload aborted;
    synchronized (this) {
      aborted = upload;
    }
    if (aborted != null) {
      DaemonThreads.execute(executor, aborted::close);
    }
  }

  private void deleteQuietly() {
    try {
      store.delete(key);
    } catch (IOException e) {
      // SnapshotCleaner.deleteUnreferenced will delete it.
    }
  }

  void failIfStalled(Duration timeout) {
    long sinceNs;
    synchronized (this) {
      sinceNs = busySinceNs;
    }
    if (sinceNs != 0 && System.nanoTime() - sinceNs > timeout.toNanos()) {
      fail(
          new ShipmentException(
              Fault.REFUSED,
              format(
                  "the snapshot cannot be stored: %s made no progress for %,d s",
                  store.name(), timeout.toSeconds())));
    }
  }

  private void fail(ShipmentException cause) {
    State before = end(State.FAILED);
    if (before == State.WRITING || before == State.SEALED) {
      stored.completeExceptionally(cause);
      abortUpload();
      onFailed.accept(cause);
    }
  }

  /** Writes the frames, on the writing thread. */
  void write() {
    try {
      busy();
      try (DigestingUpload writing = new DigestingUpload(store.begin(key))) {
        synchronized (this) {
          upload = writing;
        }
        Seal end = writeFrames(writing);
        if (end != null) {
          complete(writing, end);
        }
      }
    } catch (IOException e) {
      fail(UnwritableStore.told(Fault.REFUSED, "the snapshot cannot be stored", e));
    } catch (RuntimeException | Error e) {
      FatalErrors.report(e);
      fail(new ShipmentException(Fault.INTERNAL, "the snapshot cannot be stored: " + e, e));
    } finally {
      idle();
    }
  }

  private @Nullable Seal writeFrames(DigestingUpload writing) throws IOException {
    for (Lease frame = nextFrame(); frame != null; frame = nextFrame()) {
      busy();
      try {
        // The decoder has compared the frame with its checksum.
        writing.write(frame.view(), FrameHeader.wholeChecksum(frame.buffer()));
      } finally {
        frame.close();
      }
    }
    synchronized (this) {
      return state == State.SEALED ? seal : null;
    }
  }

  /** Waits for the next frame; null at the end. */
  private synchronized @Nullable Lease nextFrame() throws IOException {
    busySinceNs = 0;
    try {
      while (state == State.WRITING && frames.isEmpty()) {
        wait();
      }
    } catch (InterruptedException e) {
      throw new IOException("interrupted", e);
    }
    return frames.poll();
  }

  private synchronized void busy() {
    busySinceNs = Math.max(1, System.nanoTime());
  }

  private synchronized void idle() {
    busySinceNs = 0;
  }

  private void complete(DigestingUpload writing, Seal end) throws IOException {
    busy();
    writing.write(end.toFrame(FrameType.SEAL, 0));
    ObjectDigest digest = writing.complete();
    State before = end(State.STORED);
    if (before == State.SEALED) {
      stored.complete(new SnapshotContents(new StoredBytes(key, digest), header, end));
    } else {
      deleteQuietly();
    }
  }
}
