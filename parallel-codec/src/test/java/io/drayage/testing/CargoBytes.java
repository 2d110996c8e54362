package io.drayage.testing;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.codec.CargoFrames;
import io.drayage.codec.Compressors;
import io.drayage.codec.SegmentDecoder;
import io.drayage.codec.SegmentEncoder;
import io.drayage.codec.Serializer;
import io.drayage.codec.Serializers;
import io.drayage.codec.pool.CodecPool;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.memory.BufferPool;
import io.drayage.memory.ByteBudget;
import io.drayage.memory.Lease;
import io.drayage.segment.CargoAssembler;
import io.drayage.segment.CargoSink;
import io.drayage.segment.Manifest;
import io.drayage.segment.ManifestCodec;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentPlanner;
import io.drayage.send.SegmentsSender;
import io.drayage.transport.TransportClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A cargo as the bytes of its frames: {@code raw}, uncompressed, of shipment 0. */
public final class CargoBytes {
  public static final Serializer RAW = Serializers.ofName("raw");

  private CargoBytes() {}

  /** Reads and writes such bytes. */
  public static CargoFrames frames() {
    return new CargoFrames(RAW.newSegmentSerializer(), RAW.id(), Compressors.ofName("none"));
  }

  /** A cargo of one column, {@code c} of table {@code t}. */
  public static ChangeCargo cargoOf(UUID transactionId, ColumnValues values) {
    return ChangeCargo.builder(transactionId, 0)
        .table("t", table -> table.insert("c", values))
        .build();
  }

  public static ChangeCargo cargoOf(ColumnValues values) {
    return cargoOf(new UUID(1, 2), values);
  }

  /** The header of a shipment of such frames. */
  public static ShipmentHeader headerOf(ChangeCargo cargo) {
    return ShipmentHeaders.of(
        cargo.transactionId(),
        cargo.baseSnapshot(),
        ShipmentHeader.Pipeline.SEGMENTS,
        RAW.id(),
        Compressors.ofName("none").id(),
        "w");
  }

  /** All frames one after the other. */
  public static byte[] of(ChangeCargo cargo) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    frames().write(cargo, out);
    return out.toByteArray();
  }

  /** Manifest, segments, seal, each in a buffer of its own, with runs of small segments. */
  public static List<ByteBuffer> gatheredFramesOf(ChangeCargo cargo) throws IOException {
    return split(of(cargo));
  }

  /** Manifest, segments, seal, each in a buffer of its own, without runs of segments. */
  public static List<ByteBuffer> framesOf(ChangeCargo cargo) throws IOException {
    Manifest manifest = new SegmentPlanner(SegmentPlanner.DEFAULT_SEGMENT_BYTES).plan(cargo);
    List<PartContent> contents = CargoAssembler.contentsOf(cargo);
    List<ByteBuffer> frames = new ArrayList<>(List.of(ManifestCodec.toFrame(manifest, 0)));
    Seal.Digest digest = new Seal.Digest();
    BufferPool buffers = new BufferPool(1 << 10, new ByteBudget(64 << 20));
    try (SegmentEncoder encoder =
        new SegmentEncoder(RAW.newSegmentSerializer(), RAW.id(), Compressors.ofName("none"))) {
      for (Segment segment : manifest.segments()) {
        try (Lease frame = encoder.encode(List.of(segment), contents, buffers, 0)) {
          digest.add(segment.index(), FrameHeader.checksum(frame.buffer()));
          frames.add(copy(frame.buffer()));
        }
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    frames.add(digest.seal().toFrame(FrameType.SEAL, 0));
    return frames;
  }

  /** A copy of {@code frame} from position to limit, on the heap. */
  public static ByteBuffer copy(ByteBuffer frame) {
    return ByteBuffer.allocate(frame.remaining())
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(frame.duplicate())
        .flip();
  }

  /** Decodes a frame of segments. */
  public static void decode(ByteBuffer frame, CargoSink sink) throws ShipmentException {
    try (SegmentDecoder decoder =
        new SegmentDecoder(RAW.newSegmentSerializer(), RAW.id(), Compressors.ofName("none"))) {
      decoder.decode(FrameHeader.verify(frame), sink);
    }
  }

  private static List<ByteBuffer> split(byte[] bytes) throws ShipmentException {
    List<ByteBuffer> frames = new ArrayList<>();
    ByteBuffer all = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int offset = 0;
    while (offset < bytes.length) {
      int length = FrameHeader.BYTES + FrameHeader.payloadBytes(all, offset);
      ByteBuffer frame = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
      frames.add(frame.put(0, all, offset, length));
      offset += length;
    }
    return frames;
  }

  /** Ships with {@link #RAW} and without a compressor. */
  public static SegmentsSender sender(TransportClient client, CodecPool pool) {
    return new SegmentsSender(client, pool, RAW, Compressors.ofName("none"), "worker");
  }
}
