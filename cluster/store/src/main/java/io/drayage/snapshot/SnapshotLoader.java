package io.drayage.snapshot;

import io.drayage.cargo.ChangeCargo;
import io.drayage.codec.pool.CodecPool;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader.Pipeline;
import io.drayage.internal.DaemonThreads;
import io.drayage.memory.BufferPool;
import io.drayage.memory.ByteBudget;
import io.drayage.objectstore.ObjectCorruptException;
import io.drayage.objectstore.ObjectDigest;
import io.drayage.objectstore.ObjectStore;
import io.drayage.receive.AllowedCodecs;
import io.drayage.segment.Manifest;
import io.drayage.segment.ManifestCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Loads cargoes from snapshots, as if the object store shipped them. Blocks are read and verified
 * in parallel, frames are decoded in parallel, and the seal is compared before the cargo is
 * returned. Thread-safe. Owns its threads.
 */
public final class SnapshotLoader implements AutoCloseable {
  /** The divisor of the largest cargo: a cargo above that part is loaded alone. */
  private static final int AHEAD_SHARE = 4;

  /** The bytes of the first read: enough for the manifest of a cargo of some columns. */
  private static final int FIRST_READ_BYTES = 64 << 10;

  /** The codecs of full snapshots, which transactors write. */
  private static final AllowedCodecs OF_FULL = AllowedCodecs.DATA_ONLY;

  final ObjectStore store;
  private final int readAhead;
  final CodecPool pool;
  final BlockReader blocks;
  private final long maxCargoBytes;
  private final AllowedCodecs codecs;
  private final ExecutorService ahead;
  private final Queue<Buffers> spare = new ConcurrentLinkedQueue<>();

  /**
   * @param store not closed by this object
   * @param threads number of threads that decode, and of blocks that are read at a time
   * @param maxCargoBytes limit of the raw bytes of the cargo of a commit
   * @param codecs the allowed codecs; a cargo in another one is refused, with the codec's name
   */
  public SnapshotLoader(ObjectStore store, int threads, long maxCargoBytes, AllowedCodecs codecs) {
    this.store = store;
    this.readAhead = threads + 1;
    this.maxCargoBytes = maxCargoBytes;
    this.codecs = codecs;
    this.pool = new CodecPool(threads, "load");
    this.blocks = new BlockReader(store, threads, readAhead);
    this.ahead = Executors.newCachedThreadPool(new DaemonThreads("load-ahead"));
  }

  /**
   * The buffers of one load, reused by the next load. Concurrent loads do not share buffers: blocks
   * that they have read ahead could block each other.
   *
   * @param blocks for blocks that are read ahead or being decoded
   * @param frames for frames that span two blocks
   */
  record Buffers(BufferPool blocks, BufferPool frames) {
    private static final int SPANNING_FRAMES = 2;
    private static final int MAX_FRAME_BYTES = FrameHeader.BYTES + FrameHeader.MAX_PAYLOAD_BYTES;

    static Buffers of(int readAhead) {
      // One more for the block that is being decoded.
      long blockBytes = (readAhead + 1L) * ObjectDigest.BLOCK_BYTES;
      long frameBytes = SPANNING_FRAMES * (long) MAX_FRAME_BYTES;
      return new Buffers(
          new BufferPool(ObjectDigest.BLOCK_BYTES, new ByteBudget(blockBytes)),
          new BufferPool(MAX_FRAME_BYTES, new ByteBudget(frameBytes)));
    }
  }

  /**
   * Loads the cargo of a commit.
   *
   * @throws ObjectCorruptException if the cargo is corrupt
   * @throws ShipmentException {@code LIMIT} if it is too large; {@code CANCELLED} if interrupted
   */
  public ChangeCargo load(SnapshotContents contents) throws IOException {
    return loadMeasured(contents, codecs, maxCargoBytes, null, false).cargo();
  }

  /**
   * Loads the cargo of a full snapshot, which may be larger than any commit: about as large as this
   * JVM's heap.
   *
   * @throws ObjectCorruptException if the cargo is corrupt
   * @throws ShipmentException {@code LIMIT}, before anything is allocated, if the cargo does not
   *     fit into the heap; {@code CANCELLED} if interrupted
   */
  public ChangeCargo loadFull(SnapshotContents contents) throws IOException {
    return loadMeasured(contents, OF_FULL, Long.MAX_VALUE, null, false).cargo();
  }

  /**
   * Loads some columns of a full snapshot, whatever the size of the others. Reads only the blocks
   * of its object that have a part of these columns.
   *
   * @throws ObjectCorruptException if the cargo is corrupt
   */
  public ChangeCargo loadFull(SnapshotContents contents, SnapshotSelection selection)
      throws IOException {
    return loadMeasured(contents, OF_FULL, Long.MAX_VALUE, selection, false).cargo();
  }

  /**
   * Decodes a full snapshot of any size without keeping it.
   *
   * @return its {@link io.drayage.cargo.CargoDigest}
   * @throws ObjectCorruptException if the cargo is corrupt
   */
  public long digestFull(SnapshotContents contents) throws IOException {
    return loadMeasured(contents, OF_FULL, Long.MAX_VALUE, null, true).digest();
  }

  /**
   * Reads the manifest of a cargo in segments, and nothing else of it.
   *
   * @throws ObjectCorruptException if the cargo is corrupt
   */
  public Manifest manifest(SnapshotContents contents) throws IOException {
    String key = contents.data().key();
    return StoredBytes.reread(
        () -> {
          try {
            ByteBuffer frame = firstFrame(contents.data());
            Manifest manifest = ManifestCodec.ofPayload(FrameHeader.verify(frame), Long.MAX_VALUE);
            manifest.requireOf(contents.header());
            return manifest;
          } catch (ShipmentException e) {
            throw new ObjectCorruptException(store.name(), key, e.getMessage(), e);
          }
        });
  }

  private ByteBuffer firstFrame(StoredBytes data) throws IOException {
    ByteBuffer begin = read(data, (int) Math.min(FIRST_READ_BYTES, data.digest().bytes()));
    if (begin.remaining() < FrameHeader.BYTES || FrameHeader.type(begin) != FrameType.MANIFEST) {
      throw new ShipmentException(Fault.PROTOCOL_VIOLATION, "it does not begin with a manifest");
    }
    int bytes = FrameHeader.BYTES + FrameHeader.payloadBytes(begin, 0);
    ByteBuffer frame = bytes <= begin.remaining() ? begin : read(data, bytes);
    return frame.limit(bytes);
  }

  private ByteBuffer read(StoredBytes data, int bytes) throws IOException {
    ByteBuffer target = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    data.read(store, 0, target);
    return target.flip();
  }

  /** A cargo and its approximate memory, or its digest. */
  record Measured(ChangeCargo cargo, long memoryBytes, long digest) {}

  private Measured loadMeasured(
      SnapshotContents contents,
      AllowedCodecs allowed,
      long maxBytes,
      @Nullable SnapshotSelection selection,
      boolean digesting)
      throws IOException {
    Buffers reused = spare.poll();
    Buffers buffers = reused == null ? Buffers.of(readAhead) : reused;
    try {
      if (selection != null && contents.header().pipeline() == Pipeline.SEGMENTS) {
        AllowedCodecs.Pair pair = SnapshotLoad.requireCodecs(store, contents, allowed);
        return new ColumnsLoad(this, contents, pair, selection, buffers).run();
      }
      SnapshotLoad load =
          new SnapshotLoad(this, contents, allowed, maxBytes, buffers, selection, digesting);
      ChangeCargo cargo = load.run();
      return new Measured(cargo, load.memoryBytes(), load.digest());
    } finally {
      spare.add(buffers);
    }
  }

  /** The cargoes of an entry, in order. */
  public interface EntryCargoes {
    /**
     * Waits for the next cargo.
     *
     * @return null after the last one
     */
    @Nullable ChangeCargo next() throws IOException;

    /** Cargoes that are in memory already. */
    static EntryCargoes of(ChangeCargo... cargoes) {
      Iterator<ChangeCargo> rest = List.of(cargoes).iterator();
      return () -> rest.hasNext() ? rest.next() : null;
    }
  }

  /** Consumes log entries in order. */
  public interface EntryUse {
    /**
     * Consumes the next entry.
     *
     * @param cargoes must be consumed completely; only a commit has cargoes
     */
    void accept(SnapshotEntry entry, EntryCargoes cargoes) throws IOException;
  }

  /**
   * Loads entries in order. The next cargo is loaded while {@code use} consumes the one before,
   * unless that one is large: both might need more memory than their primary had.
   */
  public void loadInOrder(List<SnapshotEntry> entries, EntryUse use) throws IOException {
    loadInOrder(entries, null, use);
  }

  /**
   * Loads some columns of entries in order. If a cargo has none of the columns, only its beginning
   * is read.
   *
   * @param selection null for all columns, unchanged
   */
  public void loadInOrder(
      List<SnapshotEntry> entries, @Nullable SnapshotSelection selection, EntryUse use)
      throws IOException {
    AheadLoads loads = new AheadLoads(contentsOf(entries), selection);
    for (SnapshotEntry entry : entries) {
      int count = entry.manifest().cargoes().size();
      int[] taken = {0};
      use.accept(entry, () -> taken[0]++ < count ? loads.next() : null);
    }
  }

  private static Iterator<SnapshotContents> contentsOf(List<SnapshotEntry> entries) {
    return entries.stream().flatMap(entry -> entry.manifest().cargoes().stream()).iterator();
  }

  /** Loads the cargoes of one entry in order, as {@link #loadInOrder} does. */
  public EntryCargoes load(SnapshotEntry entry) {
    AheadLoads loads = new AheadLoads(entry.manifest().cargoes().iterator(), null);
    int count = entry.manifest().cargoes().size();
    int[] taken = {0};
    return () -> taken[0]++ < count ? loads.next() : null;
  }

  /** Loads cargoes one after the other: the next while the last one is used. Not thread-safe. */
  private final class AheadLoads {
    private final Iterator<SnapshotContents> rest;
    private final @Nullable SnapshotSelection selection;
    private @Nullable Future<Measured> next;

    AheadLoads(Iterator<SnapshotContents> rest, @Nullable SnapshotSelection selection) {
      this.rest = rest;
      this.selection = selection;
    }

    ChangeCargo next() throws IOException {
      Future<Measured> begun = next == null ? begin() : next;
      next = null;
      Measured loaded = get(begun);
      boolean isSmall = loaded.memoryBytes <= maxCargoBytes / AHEAD_SHARE;
      next = isSmall && rest.hasNext() ? begin() : null;
      return loaded.cargo;
    }

    private Future<Measured> begin() {
      long maxBytes = selection == null ? maxCargoBytes : Long.MAX_VALUE;
      SnapshotContents contents = rest.next();
      return ahead.submit(() -> loadMeasured(contents, codecs, maxBytes, selection, false));
    }
  }

  private static Measured get(Future<Measured> cargo) throws IOException {
    try {
      return cargo.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException named ? named : new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a snapshot was loaded", e);
    }
  }

  @Override
  public void close() {
    ahead.shutdownNow();
    blocks.close();
    pool.close();
  }
}
