package io.drayage.snapshot;

import io.drayage.cargo.ChangeCargo;
import io.drayage.codec.CargoFrames;
import io.drayage.codec.pool.CodecPool;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.internal.UnusableLibraryException;
import io.drayage.memory.Lease;
import io.drayage.receive.AllowedCodecs;
import io.drayage.segment.FramePlan;
import io.drayage.segment.Manifest;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentHeader;
import io.drayage.segment.internal.PartialAssembler;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Loads some columns of a cargo in segments, or some of their segments. If the cargo has an index
 * of its frames, only blocks with frames of these segments are read, or only the frames if these
 * are less than half of the blocks. Otherwise all blocks are read, or none if no segment is
 * selected. Blocks are compared with their digests, frames with their checksums. One use.
 */
final class ColumnsLoad {
  private final SnapshotLoader loader;
  private final SnapshotContents contents;
  private final StoredBytes data;
  private final AllowedCodecs.Pair codecs;
  private final SnapshotSelection selection;
  private final SnapshotLoader.Buffers buffers;
  private final StoredFrames frames;
  private final Seal.Digest digest = new Seal.Digest();

  private int lastBlock = -1;

  /** Guarded by this. */
  private int decoding;

  /** Guarded by this. The first failure. */
  private @Nullable ShipmentException failure;

  ColumnsLoad(
      SnapshotLoader loader,
      SnapshotContents contents,
      AllowedCodecs.Pair codecs,
      SnapshotSelection selection,
      SnapshotLoader.Buffers buffers) {
    this.loader = loader;
    this.contents = contents;
    this.data = contents.data();
    this.codecs = codecs;
    this.selection = selection;
    this.buffers = buffers;
    this.frames = new StoredFrames(loader.store, data, buffers.frames());
  }

  /** Returns the columns, and their approximate memory. */
  SnapshotLoader.Measured run() throws IOException {
    try {
      Manifest manifest = loader.manifest(contents);
      long bytes = selection.memoryBytes(manifest);
      return new SnapshotLoader.Measured(load(manifest, bytes), bytes, 0);
    } catch (ShipmentException e) {
      throw SnapshotLoad.named(loader.store, contents, true, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ShipmentException(Fault.CANCELLED, "interrupted while a snapshot was loaded", e);
    }
  }

  private ChangeCargo load(Manifest manifest, long bytes) throws IOException, InterruptedException {
    SnapshotLoad.requireRoom(bytes);
    PartialAssembler sink = new PartialAssembler(manifest, selection.wanted(), selection.needed());
    BitSet wanted = wantedSegments(manifest);
    try {
      if (!wanted.isEmpty()) {
        readBlocks(sink, wanted);
        awaitDecoded();
        throwFailure();
        requireComplete(sink, wanted);
      }
      return sink.cargo();
    } finally {
      awaitDecoded();
    }
  }

  private BitSet wantedSegments(Manifest manifest) {
    BitSet wanted = new BitSet();
    for (Segment segment : manifest.segments()) {
      if (selection.has(segment)) {
        wanted.set(segment.index());
      }
    }
    return wanted;
  }

  private void readBlocks(PartialAssembler sink, BitSet wanted)
      throws IOException, InterruptedException {
    FrameIndex index = contents.frames();
    int[] blocks = IntStream.range(0, data.digest().blockCount()).toArray();
    List<FrameIndex.Piece> pieces = List.of();
    if (index != null) {
      BitSet wantedFrames = wantedFrames(CargoFrames.plan(sink.manifest()), wanted);
      blocks = Arrays.stream(blocks).filter(block -> hasAny(index, block, wantedFrames)).toArray();
      pieces = pieces(index, wantedFrames, blocks);
    }
    try {
      boolean unused =
          pieces.isEmpty()
              ? loader.blocks.read(
                  data,
                  Arrays.stream(blocks),
                  buffers.blocks(),
                  (block, bytes) -> cut(block, bytes, sink))
              : readPieces(pieces, sink);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException named ? named : new IOException(e.getCause());
    }
    if (index == null && !hasFailed()) {
      frames.requireEnd();
      awaitDecoded();
      throwFailure();
      contents.seal().requireSameAs(digest.seal());
    }
  }

  /** Returns the pieces with some frames; empty if the blocks are not much more to read. */
  private List<FrameIndex.Piece> pieces(FrameIndex index, BitSet frames, int[] blocks) {
    List<FrameIndex.Piece> pieces = index.pieces(frames, data.digest().bytes());
    long ofPieces = pieces.stream().mapToLong(FrameIndex.Piece::bytes).sum();
    long ofBlocks = Arrays.stream(blocks).mapToLong(data.digest()::blockBytes).sum();
    return ofPieces > ofBlocks / 2 ? List.of() : pieces;
  }

  private boolean readPieces(List<FrameIndex.Piece> pieces, PartialAssembler sink)
      throws IOException, InterruptedException, ExecutionException {
    return loader.blocks.readPieces(
        data,
        pieces,
        buffers.blocks(),
        (number, bytes) -> {
          frames.goOn(pieces.get(number).offset());
          boolean unused = frames.cut(bytes, frame -> take(frame, sink));
          throwFailure();
          return true;
        });
  }

  private static BitSet wantedFrames(FramePlan plan, BitSet wanted) {
    BitSet frames = new BitSet();
    for (int frame = 0; frame < plan.frameCount(); frame++) {
      int first = plan.firstSegment(frame);
      int next = wanted.nextSetBit(first);
      frames.set(frame, next >= 0 && next < first + plan.segments(frame).size());
    }
    return frames;
  }

  private static boolean hasAny(FrameIndex index, int block, BitSet wantedFrames) {
    int next = wantedFrames.nextSetBit(index.firstTouched(block));
    return next >= 0 && next < index.endTouched(block);
  }

  private boolean cut(int block, Lease bytes, PartialAssembler sink)
      throws IOException, InterruptedException {
    FrameIndex index = contents.frames();
    if (index != null && block > lastBlock + 1) {
      frames.goOn(data.digest().offset(block) + index.offset(block));
      bytes.buffer().position(index.offset(block));
    }
    lastBlock = block;
    boolean unused = frames.cut(bytes, frame -> take(frame, sink));
    throwFailure();
    return true;
  }

  private boolean take(Lease frame, PartialAssembler sink) {
    try (frame) {
      if (FrameHeader.type(frame.buffer()) == FrameType.SEGMENT) {
        decodeLater(frame.retain(), sink);
      }
    } catch (ShipmentException e) {
      fail(e);
    }
    return !hasFailed();
  }

  private void decodeLater(Lease frame, PartialAssembler target) throws ShipmentException {
    synchronized (this) {
      decoding++;
    }
    CodecPool.Task task = codec -> decode(codec, frame, target);
    if (!loader.pool.submit(task) && !loader.pool.runHere(task)) {
      frame.release();
      ended();
      throw new ShipmentException(Fault.CANCELLED, "the loader is closed");
    }
  }

  private void decode(CodecPool.CodecThread codec, Lease frame, PartialAssembler target) {
    try (frame) {
      int checksum = FrameHeader.checksum(frame.buffer());
      SegmentHeader decoded =
          codec
              .decoder(codecs.serializer(), codecs.compressor())
              .decode(FrameHeader.verify(frame.buffer()), target);
      digest.add(decoded.segmentIndex(), checksum);
    } catch (ShipmentException e) {
      fail(e);
    } catch (LinkageError | VirtualMachineError | UnusableLibraryException e) {
      // The bytes are not the reason.
      fail(ShipmentException.of(Fault.INTERNAL, "a segment cannot be decoded here", e));
    } catch (Throwable e) {
      fail(ShipmentException.of(Fault.DECODE, "a segment cannot be decoded", e));
    } finally {
      ended();
    }
  }

  private synchronized void ended() {
    decoding--;
    notifyAll();
  }

  private synchronized void fail(ShipmentException cause) {
    failure = failure == null ? cause : failure;
  }

  private synchronized boolean hasFailed() {
    return failure != null;
  }

  private synchronized void throwFailure() throws ShipmentException {
    ShipmentException known = failure;
    if (known != null) {
      throw known;
    }
  }

  private synchronized void awaitDecoded() throws InterruptedException {
    while (decoding > 0) {
      wait();
    }
  }

  private static void requireComplete(PartialAssembler sink, BitSet wanted)
      throws ShipmentException {
    BitSet missing = (BitSet) wanted.clone();
    missing.andNot(sink.claimed());
    if (!missing.isEmpty()) {
      Segment first = sink.manifest().segments().get(missing.nextSetBit(0));
      throw new ShipmentException(Fault.SEGMENT_MISSING, "%s is missing".formatted(first));
    }
  }
}
