package io.drayage.snapshot;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.Fault;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.internal.Begun;
import io.drayage.memory.Lease;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.objectstore.ObjectCorruptException;
import io.drayage.objectstore.ObjectStore;
import io.drayage.receive.AllowedCodecs;
import io.drayage.receive.PipelineReceiver;
import io.drayage.receive.PipelineReceivers;
import io.drayage.receive.Reception;
import io.drayage.receive.internal.CargoIntake;
import io.drayage.receive.internal.SegmentsDecoding;
import io.drayage.segment.CargoAssembler;
import io.drayage.segment.CargoSink;
import io.drayage.segment.Manifest;
import io.drayage.segment.internal.DigestingSink;
import io.drayage.transport.ShipmentHandler;
import java.io.IOException;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One load of a snapshot, by the receiver of shipments, so that all checks of the arrival are
 * repeated.
 */
final class SnapshotLoad implements CargoIntake, Reception.ReceptionListener {
  /** The eighths of the heap that a cargo may use. The rest is for frames, and work on the rows. */
  private static final int USABLE_EIGHTHS = 7;

  private static final ChangeCargo NOTHING = ChangeCargo.builder(new UUID(0, 0), 0).build();

  private final SnapshotLoader loader;
  private final ObjectStore store;
  private final SnapshotContents contents;
  private final AllowedCodecs codecs;
  private final long maxCargoBytes;
  private final SnapshotLoader.Buffers buffers;
  private final CompletableFuture<ChangeCargo> cargo = new CompletableFuture<>();
  private final LongAdder streamBytes = new LongAdder();
  private final @Nullable SnapshotSelection selection;

  /** Whether the load only computes the digest of the cargo, without keeping it in memory. */
  private final boolean digesting;

  private volatile long digest;

  /** The sink that segments are decoded into, and the supplier of its cargo. */
  private record Assembled(CargoSink sink, Supplier<ChangeCargo> cargo) {}

  private volatile @Nullable Assembled assembled;

  SnapshotLoad(
      SnapshotLoader loader,
      SnapshotContents contents,
      AllowedCodecs codecs,
      long maxCargoBytes,
      SnapshotLoader.Buffers buffers,
      @Nullable SnapshotSelection selection,
      boolean digesting) {
    this.loader = loader;
    this.store = loader.store;
    this.contents = contents;
    this.codecs = codecs;
    this.maxCargoBytes = maxCargoBytes;
    this.buffers = buffers;
    this.selection = selection;
    this.digesting = digesting;
  }

  ChangeCargo run() throws IOException {
    ShipmentHandler handler = handler();
    try (Begun begun = new Begun(() -> abort(handler))) {
      feed(handler);
      return begun.keep(cargo.get());
    } catch (ExecutionException e) {
      throw failure(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ShipmentException(Fault.CANCELLED, "interrupted while a snapshot was loaded", e);
    }
  }

  private static void abort(ShipmentHandler handler) {
    handler.onAborted(new ShipmentException(Fault.CANCELLED, "the snapshot cannot be loaded"));
  }

  /** The {@link CargoDigest} of the cargo, once it is computed. */
  long digest() {
    return digest;
  }

  /** The approximate memory of the cargo, once it is loaded. */
  long memoryBytes() {
    Assembled known = assembled;
    return known == null ? streamBytes.sum() : known.sink.manifest().memoryBytes();
  }

  private IOException failure(ExecutionException e) {
    if (e.getCause() instanceof ShipmentException named) {
      return named(store, contents, selection != null, named);
    }
    return e.getCause() instanceof IOException named ? named : new IOException(e.getCause());
  }

  /** Converts a failure of decoding for the caller of the load. */
  static IOException named(
      ObjectStore store, SnapshotContents contents, boolean partial, ShipmentException cause) {
    return switch (cause.fault()) {
      case LIMIT -> tooLarge(partial ? "what is to be read" : contents.data().key(), cause);
      case INTERNAL, CANCELLED -> cause;
      default ->
          new ObjectCorruptException(
              store.name(), contents.data().key(), cause.getMessage(), cause);
    };
  }

  /** Converts a failure by a limit: a share of the heap, which was larger at the primary. */
  private static ShipmentException tooLarge(String what, ShipmentException cause) {
    return new ShipmentException(
        Fault.LIMIT,
        format(
            "%s does not fit into the heap of this node, %,d bytes: %s; give it more by -Xmx (DRAYAGE_JAVA_OPTS)",
            what, Runtime.getRuntime().maxMemory(), cause.getMessage()),
        cause);
  }

  private ShipmentHandler handler() throws IOException {
    ShipmentHeader header = contents.header();
    DrayageMetrics metrics = new DrayageMetrics();
    AllowedCodecs.Pair pair = requireCodecs(store, contents, codecs);
    if (header.pipeline() == ShipmentHeader.Pipeline.SEGMENTS) {
      return new SegmentsDecoding(
          header, pair.serializer(), pair.compressor(), loader.pool, this, metrics);
    }
    try {
      PipelineReceiver receiver = PipelineReceivers.installed().of(header.pipeline());
      return receiver.receive(
          new Reception(
              header,
              pair.serializer(),
              pair.compressor(),
              maxCargoBytes,
              streamBytes::add,
              metrics,
              this));
    } catch (IllegalArgumentException | UnsupportedOperationException | ShipmentException e) {
      throw unreadable(store, contents, e);
    }
  }

  /**
   * Returns the codecs of a cargo.
   *
   * @throws SnapshotException if one of them is not allowed here
   */
  static AllowedCodecs.Pair requireCodecs(
      ObjectStore store, SnapshotContents contents, AllowedCodecs codecs) throws SnapshotException {
    try {
      AllowedCodecs.Pair pair = codecs.require(contents.header());
      codecs.require(contents.header().pipeline());
      return pair;
    } catch (IllegalArgumentException | UnsupportedOperationException e) {
      throw unreadable(store, contents, e);
    }
  }

  /** Returns the failure for a codec: one worker must not decide what all nodes have to read. */
  private static SnapshotException unreadable(
      ObjectStore store, SnapshotContents contents, Exception e) {
    return new SnapshotException(
        "%s: %s was committed with a codec that this node does not allow: %s"
            .formatted(store.name(), contents.data().key(), e.getMessage()),
        e);
  }

  private void feed(ShipmentHandler handler)
      throws IOException, InterruptedException, ExecutionException {
    StoredBytes data = contents.data();
    StoredFrames frames = new StoredFrames(store, data, buffers.frames());
    boolean wholly =
        loader.blocks.read(
            data,
            IntStream.range(0, data.digest().blockCount()),
            buffers.blocks(),
            (block, bytes) -> frames.cut(bytes, frame -> feed(handler, frame)));
    if (wholly) {
      frames.requireEnd();
    }
  }

  /** Feeds a frame. Continues after the seal, to detect data that follows it. */
  private boolean feed(ShipmentHandler handler, Lease frame) {
    handler.onFrame(frame);
    return !cargo.isCompletedExceptionally();
  }

  @Override
  public long maxCargoBytes() {
    return maxCargoBytes;
  }

  @Override
  public CargoSink open(Manifest manifest, Lease frame) throws ShipmentException {
    Assembled opened;
    if (digesting) {
      DigestingSink sink = new DigestingSink(manifest);
      opened =
          new Assembled(
              sink,
              () -> {
                digest = sink.digest();
                return NOTHING;
              });
    } else {
      requireRoom(manifest.memoryBytes());
      CargoAssembler sink = new CargoAssembler(manifest);
      opened = new Assembled(sink, sink::cargo);
    }
    assembled = opened;
    return opened.sink;
  }

  /** Fails if the heap is too small, before anything is allocated. */
  static void requireRoom(long bytes) throws ShipmentException {
    long heapBytes = Runtime.getRuntime().maxMemory();
    if (bytes > heapBytes / 8 * USABLE_EIGHTHS) {
      throw new ShipmentException(
          Fault.LIMIT,
          format("it takes about %,d bytes of memory, more than 7/8 of the heap", bytes));
    }
  }

  @Override
  public void received(Seal seal) {
    complete(Objects.requireNonNull(assembled).cargo.get(), seal);
  }

  @Override
  public void received(ChangeCargo whole, Seal seal) {
    if (digesting) {
      digest = CargoDigest.of(whole);
    }
    complete(selection == null ? whole : selection.of(whole), seal);
  }

  private void complete(ChangeCargo loaded, Seal seal) {
    try {
      contents.seal().requireSameAs(seal);
      cargo.complete(loaded);
    } catch (ShipmentException e) {
      cargo.completeExceptionally(e);
    }
  }

  @Override
  public long shipmentId() {
    return 0;
  }

  @Override
  public void failed(ShipmentException cause) {
    cargo.completeExceptionally(cause);
  }
}
