package io.drayage.codec;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RowBits;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import java.nio.ByteBuffer;

/**
 * A serializer of segments that writes the digest of their values before them, and compares it with
 * the values that it reads. The seal covers only the bytes of frames, and does not notice a codec
 * that decodes other values. This library's codecs are tested; users' codecs are checked here.
 */
final class CheckedSegments implements SegmentSerializer {
  private static final int DIGEST_BYTES = Long.BYTES;

  private final SegmentSerializer serializer;
  private final String codecs;

  private CheckedSegments(SegmentSerializer serializer, String codecs) {
    this.serializer = serializer;
    this.codecs = codecs;
  }

  /** Returns {@code serializer} itself if both codecs are of this library. */
  static SegmentSerializer of(
      SegmentSerializer serializer, int serializerId, Compressor compressor) {
    return serializerId <= Codec.MAX_RESERVED_ID && compressor.id() <= Codec.MAX_RESERVED_ID
        ? serializer
        : new CheckedSegments(
            serializer,
            format("serializer %d or compressor '%s'", serializerId, compressor.name()));
  }

  @Override
  public void expectCompression() {
    serializer.expectCompression();
  }

  @Override
  public int maxSerializedBytes(Segment segment, PartContent content) {
    return DIGEST_BYTES + serializer.maxSerializedBytes(segment, content);
  }

  @Override
  public void serialize(Segment segment, PartContent content, ByteBuffer target) {
    target.putLong(digest(segment, content));
    serializer.serialize(segment, content, target);
  }

  @Override
  public void deserialize(Segment segment, ByteBuffer source, PartContent content)
      throws ShipmentException {
    if (source.remaining() < DIGEST_BYTES) {
      throw new ShipmentException(
          Fault.DECODE,
          format(
              "%s has %,d bytes, fewer than the %d of its digest",
              segment, source.remaining(), DIGEST_BYTES));
    }
    long stated = source.getLong();
    serializer.deserialize(segment, source, content);
    long decoded = digest(segment, content);
    if (stated != decoded) {
      throw new ShipmentException(
          Fault.DECODE,
          format(
              "%s was decoded to other values than were sent (digest %016x, not %016x): %s is at fault, or differs between the two ends",
              segment, decoded, stated, codecs));
    }
  }

  /** The digest of a segment. Does not depend on the place of the rows in memory. */
  private static long digest(Segment segment, PartContent content) {
    return content instanceof RowBits bits
        ? CargoDigest.ofBits(bits, segment.firstRow() / Long.SIZE, segment.rowCount())
        : CargoDigest.ofRows((ColumnValues) content, segment.firstRow(), segment.rowCount(), 0);
  }

  @Override
  public void close() {
    serializer.close();
  }
}
