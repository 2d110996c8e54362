package io.drayage.codec;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RowBits;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.BufferPool;
import io.drayage.memory.ByteBudget;
import io.drayage.memory.Lease;
import io.drayage.memory.MemoryCharge;
import io.drayage.segment.CargoAssembler;
import io.drayage.segment.CargoSink;
import io.drayage.segment.FramePlan;
import io.drayage.segment.Manifest;
import io.drayage.segment.ManifestCodec;
import io.drayage.segment.Part;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentHeader;
import io.drayage.segment.SegmentPlanner;
import io.drayage.segment.SegmentSerializer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A whole cargo as a sequence of frames: manifest, segments in their order, seal. A frame may carry
 * a run of small segments. Also reads cargoes with one frame for each segment. A cargo file has
 * this content, and so has the stream form of the {@code raw} serializer. Not thread-safe.
 */
public final class CargoFrames {
  private static final int BUFFER_BYTES = SegmentPlanner.DEFAULT_SEGMENT_BYTES * 5 / 4;

  /** Enough for a small cargo, and for a file that is no cargo. */
  private static final int FIRST_READ_BUFFER_BYTES = 16 << 10;

  private static final SegmentPlanner PLANNER =
      new SegmentPlanner(SegmentPlanner.DEFAULT_SEGMENT_BYTES);

  private static final long BUDGET_BYTES = 16L << 20;

  private final SegmentSerializer serializer;
  private final int serializerId;
  private final Compressor compressor;

  /**
   * Reads and writes frames of segments in this form.
   *
   * @param serializer has state, so that only this object may use it
   * @param serializerId its number on the wire
   */
  public CargoFrames(SegmentSerializer serializer, int serializerId, Compressor compressor) {
    this.serializer = serializer;
    this.serializerId = serializerId;
    this.compressor = compressor;
  }

  /**
   * Writes {@code cargo}. Does not close the stream.
   *
   * @return number of bytes written
   */
  public long write(ChangeCargo cargo, OutputStream out) throws IOException {
    return writeSealed(cargo, Channels.newChannel(out), offset -> {}).bytes();
  }

  /**
   * Writes {@code cargo} without an intermediate copy. Makes texts on demand only once if their
   * source knows their approximate length. Only with the {@code raw} serializer, uncompressed.
   */
  Written write(ChangeCargo cargo, SeekableByteChannel channel) throws IOException {
    Manifest rough = PLANNER.planRoughly(cargo);
    List<PartContent> contents = CargoAssembler.contentsOf(cargo);
    TextCount texts = new TextCount(rough, contents);
    long start = channel.position();
    Written written = writeSealed(rough, contents, channel, texts, offset -> {});
    if (written == null) { // Some texts are longer than was estimated.
      return writeSealed(cargo, channel.position(start).truncate(start), offset -> {});
    }
    Manifest exact = rough.withRawBytes(texts.rawBytes);
    long end = channel.position();
    long unused = writeFully(channel.position(start), ManifestCodec.toFrame(exact, 0));
    channel.position(end);
    return new Written(written.bytes, written.seal, exact);
  }

  /** Counts the raw bytes of columns for which a manifest has an estimate. */
  private static final class TextCount {
    final long[] rawBytes;
    private final BitSet estimated = new BitSet();

    TextCount(Manifest rough, List<PartContent> contents) {
      rawBytes = rough.parts().stream().mapToLong(Part::rawBytes).toArray();
      for (Part part : rough.parts()) {
        if (contents.get(part.index()) instanceof ColumnValues values
            && PLANNER.isEstimate(part, values)) {
          estimated.set(part.index());
          rawBytes[part.index()] = values.fixedBytes();
        }
      }
    }

    boolean isEstimated(Segment segment) {
      return estimated.get(segment.part().index());
    }

    /** Adds the bytes of raw texts: all serialized bytes except validity bits and their flag. */
    void add(Segment segment, PartContent content, int serializedBytes) {
      RowBits validity = ((ColumnValues) content).validity();
      long ofNulls = 0;
      if (validity != null) {
        long values = Arrays.stream(SegmentRows.words(validity, segment)).map(Long::bitCount).sum();
        boolean hasNulls = values < segment.rowCount();
        ofNulls = Long.BYTES * (hasNulls ? 1L + SegmentRows.wordCount(segment) : 1L);
      }
      rawBytes[segment.part().index()] += serializedBytes - ofNulls;
    }
  }

  /**
   * A cargo that was written.
   *
   * @param bytes number of bytes
   * @param seal the last frame
   * @param manifest the first frame
   */
  public record Written(long bytes, Seal seal, Manifest manifest) {}

  /**
   * Writes {@code cargo} as {@link #write}, and also returns its seal and manifest.
   *
   * @param begins receives the offset of each frame of segments, in order, and of the seal
   */
  public Written writeSealed(ChangeCargo cargo, OutputStream out, LongConsumer begins)
      throws IOException {
    return writeSealed(cargo, Channels.newChannel(out), begins);
  }

  private Written writeSealed(ChangeCargo cargo, WritableByteChannel channel, LongConsumer begins)
      throws IOException {
    Manifest manifest = PLANNER.plan(cargo);
    return Objects.requireNonNull(
        writeSealed(manifest, CargoAssembler.contentsOf(cargo), channel, null, begins));
  }

  /** The plan by which a cargo's segments are written into frames. */
  public static FramePlan plan(Manifest manifest) {
    return FramePlan.of(manifest, SegmentPlanner.DEFAULT_SEGMENT_BYTES);
  }

  /**
   * Writes a cargo by its manifest.
   *
   * @param texts counts the texts for which the manifest has an estimate; null if it is exact
   * @return null if such texts may be too large for their segment
   */
  private @Nullable Written writeSealed(
      Manifest manifest,
      List<PartContent> contents,
      WritableByteChannel channel,
      @Nullable TextCount texts,
      LongConsumer begins)
      throws IOException {
    FramePlan plan = plan(manifest);
    BufferPool buffers = new BufferPool(BUFFER_BYTES, new ByteBudget(BUDGET_BYTES));
    Seal.Digest digest = new Seal.Digest();
    long written = writeFully(channel, ManifestCodec.toFrame(manifest, 0));
    try (SegmentEncoder encoder = new SegmentEncoder(serializer, serializerId, compressor)) {
      for (int frame = 0; frame < plan.frameCount(); frame++) {
        Segment first = plan.segments(frame).get(0);
        boolean isCounted = texts != null && texts.isEstimated(first);
        if (isCounted
            && serializer.maxSerializedBytes(first, contents.get(first.part().index()))
                > SegmentPlanner.MAX_TEXT_BYTES) {
          return null;
        }
        begins.accept(written);
        try (Lease lease = encoder.encode(plan.segments(frame), contents, buffers, 0)) {
          digest.add(plan.firstSegment(frame), FrameHeader.checksum(lease.buffer()));
          written += writeFully(channel, lease.buffer());
        }
        if (isCounted) {
          PartContent content = contents.get(first.part().index());
          texts.add(first, content, encoder.lastHeader().serializedBytes());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a cargo was written", e);
    }
    Seal seal = digest.seal();
    begins.accept(written);
    written += writeFully(channel, seal.toFrame(FrameType.SEAL, 0));
    return new Written(written, seal, manifest);
  }

  private static long writeFully(WritableByteChannel channel, ByteBuffer frame) throws IOException {
    long bytes = frame.remaining();
    while (frame.hasRemaining()) {
      channel.write(frame);
    }
    return bytes;
  }

  /**
   * Reads the frames of one cargo, and nothing beyond them.
   *
   * @param maxRawBytes the limit of a cargo's raw bytes
   * @throws ShipmentException if the bytes are no cargo; the message has the reason and the offset
   *     of the frame
   */
  public ChangeCargo read(InputStream in, long maxRawBytes) throws IOException {
    return read(in, maxRawBytes, bytes -> {});
  }

  /** Reads a cargo, and charges {@code memory} with the memory of the cargo. */
  public ChangeCargo read(InputStream in, long maxRawBytes, MemoryCharge memory)
      throws IOException {
    FrameReader frames = new FrameReader(in);
    CargoAssembler assembler =
        frames.read(FrameType.MANIFEST, frame -> begin(frame, maxRawBytes, memory));
    try (SegmentDecoder decoder = new SegmentDecoder(serializer, serializerId, compressor)) {
      readSegments(frames, assembler::isComplete, payload -> decoder.decode(payload, assembler));
    }
    return assembler.cargo();
  }

  private static CargoAssembler begin(ByteBuffer frame, long maxRawBytes, MemoryCharge memory)
      throws ShipmentException {
    Manifest manifest = ManifestCodec.ofPayload(FrameHeader.verify(frame), maxRawBytes);
    memory.charge(manifest.memoryBytes());
    return new CargoAssembler(manifest);
  }

  /**
   * Checks the frames of one cargo of any size, their checksums and the seal, without decoding a
   * value.
   *
   * @return the manifest
   * @throws ShipmentException as {@link #read}
   */
  public static Manifest inspect(InputStream in) throws IOException {
    FrameReader frames = new FrameReader(in);
    Manifest manifest = frames.manifest();
    CargoSink claims = new UndecodedSegments(manifest);
    readSegments(frames, claims::isComplete, payload -> claimOnly(payload, claims));
    return manifest;
  }

  private static SegmentHeader claimOnly(ByteBuffer payload, CargoSink claims)
      throws ShipmentException {
    SegmentHeader header = SegmentHeader.ofPayload(payload);
    header.requireRoomForRun();
    claims.claim(header.segmentIndex(), header.furtherSegments());
    return header;
  }

  /**
   * The manifest of a cargo, from its first frame. Reads nothing behind that frame.
   *
   * @throws ShipmentException as {@link #read}
   */
  public static Manifest manifest(InputStream in) throws IOException {
    return new FrameReader(in).manifest();
  }

  /** Reads all segments and the seal. Ends, because every frame claims at least one segment. */
  private static void readSegments(
      FrameReader frames, BooleanSupplier complete, FrameUse<SegmentHeader> use)
      throws IOException {
    Seal.Digest digest = new Seal.Digest();
    while (!complete.getAsBoolean()) {
      frames.read(
          FrameType.SEGMENT,
          frame -> {
            int checksum = FrameHeader.checksum(frame);
            SegmentHeader header = use.apply(FrameHeader.verify(frame));
            digest.add(header.segmentIndex(), checksum);
            return header;
          });
    }
    frames.read(
        FrameType.SEAL,
        frame -> {
          Seal seal = Seal.ofPayload(FrameHeader.verify(frame));
          seal.requireSameAs(digest.seal());
          return seal;
        });
  }

  /** Uses one frame. */
  private interface FrameUse<T> {
    T apply(ByteBuffer bytes) throws ShipmentException;
  }

  /** Reads frame after frame into one buffer. An error has the offset of the frame. */
  private static final class FrameReader {
    private final InputStream in;
    private ByteBuffer buffer = allocate(FIRST_READ_BUFFER_BYTES);
    private long offset;

    FrameReader(InputStream in) {
      this.in = in;
    }

    /** Reads the manifest of a cargo of any size. */
    Manifest manifest() throws IOException {
      return read(
          FrameType.MANIFEST,
          frame -> ManifestCodec.ofPayload(FrameHeader.verify(frame), Long.MAX_VALUE));
    }

    <T> T read(FrameType expected, FrameUse<T> use) throws IOException {
      try {
        ByteBuffer frame = next(expected);
        T result = use.apply(frame);
        offset += frame.limit();
        return result;
      } catch (ShipmentException e) {
        throw new ShipmentException(
            e.fault(), format("at offset %,d: %s", offset, e.getMessage()), e);
      }
    }

    private ByteBuffer next(FrameType expected) throws IOException {
      readFully(0, FrameHeader.BYTES, expected);
      int bytes = FrameHeader.BYTES + FrameHeader.payloadBytes(buffer, 0);
      if (bytes > buffer.capacity()) {
        ByteBuffer larger = allocate(Math.max(bytes, BUFFER_BYTES));
        larger.put(0, buffer, 0, FrameHeader.BYTES);
        buffer = larger;
      }
      readFully(FrameHeader.BYTES, bytes - FrameHeader.BYTES, expected);
      ByteBuffer frame = buffer.clear().limit(bytes);
      if (FrameHeader.type(frame) != expected) {
        throw new ShipmentException(
            Fault.PROTOCOL_VIOLATION,
            "a %s frame where a %s frame was expected"
                .formatted(FrameHeader.type(frame), expected));
      }
      return frame;
    }

    private void readFully(int at, int bytes, FrameType expected) throws IOException {
      int read = in.readNBytes(buffer.array(), buffer.arrayOffset() + at, bytes);
      if (read < bytes) {
        throw new ShipmentException(
            Fault.BAD_FRAME,
            format(
                "the data ends after %,d of %,d bytes of a %s frame",
                at + read, at + bytes, expected));
      }
    }

    private static ByteBuffer allocate(int bytes) {
      return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
  }
}
