package io.drayage.frame;

import static io.drayage.internal.Texts.format;
import static io.drayage.testing.Refusals.assertFault;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.testing.CargoBytes;
import io.drayage.testing.WireFrames;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class FrameHeaderTest {
  private static final ByteBuffer SEGMENT =
      WireFrames.of(
          FrameType.SEGMENT, 0x0102030405060708L, "hello".getBytes(StandardCharsets.UTF_8));

  @Test
  void frameHasTheSpecifiedBytes() {
    assertThat(hex(SEGMENT))
        .isEqualTo("44525947 01030000 0807060504030201 05000000 fcf05110 68656c6c6f");
  }

  @Test
  void controlFramesHaveTheSpecifiedBytes() {
    ShipmentException refused = new ShipmentException(Fault.LIMIT, "no");
    ShipmentHeader header =
        new ShipmentHeader(
            new UUID(1, 2),
            3,
            ShipmentHeader.Pipeline.SEGMENTS,
            4,
            5,
            new CommitOptions(
                Acknowledgement.PUBLISHED, OnConflict.OVERWRITE, new UUID(6, -7), 0x0A0B0C0D, null),
            "w");
    assertBytes(
        0x01,
        header.toFrame(new OpenRequest(2, 0x1234, 0x5678)),
        "0100000000000000020000000000000003000000000000000204050203020000"
            + "0600000000000000f9ffffffffffffff0d0c0b0a341200007856000077");
    assertBytes(
        0x11,
        new Accepted(7, 8, new Token(1, -2), 30_000, 4, new StoreShare(9, 10, 11)).toFrame(),
        "070000000000000008000000000000000100000000000000feffffffffffffff307500000000000004000000"
            + "09000000000000000a000000000000000b000000");
    assertBytes(
        0x07,
        new Join(new Token(1, -2), Join.Purpose.RESUME).toFrame(7),
        "0100000000000000feffffffffffffff02");
    assertBytes(
        0x16, new Joined(8, segments(0, 1, 3, 12)).toFrame(7), "0800000000000000020000000204");
    assertBytes(
        0x05, new Seal(2, -1).toFrame(FrameType.SEAL, 7), "0200000000000000ffffffffffffffff");
    assertBytes(
        0x13, new Seal(2, -1).toFrame(FrameType.HELD, 7), "0200000000000000ffffffffffffffff");
    assertBytes(0x12, ControlFrame.credit(7, 9), "0900000000000000");
    assertBytes(0x14, ControlFrame.committed(7, 10), "0a00000000000000");
    assertBytes(0x20, ControlFrame.heartbeat(7), "");
    assertBytes(0x15, Failure.toFrame(FrameType.FAILED, 7, refused), "03000000020000006e6f");
    ShipmentException lost = refused.withOutcome(ShipmentException.Outcome.UNKNOWN);
    assertBytes(0x06, Failure.toFrame(FrameType.CANCEL, 7, lost), "03000000010000006e6f");
  }

  /** Checks the specified bytes, with a computed length and checksum; OPEN is of no shipment. */
  private static void assertBytes(int type, ByteBuffer frame, String payload) {
    int shipment = type == 1 ? 0 : 7;
    String header =
        format("44525947 01%02x0000 %02x%014x %02x000000", type, shipment, 0, payload.length() / 2);
    CRC32C crc = new CRC32C();
    crc.update(HexFormat.of().parseHex(header.replace(" ", "") + payload));
    int checksum = Integer.reverseBytes((int) crc.getValue());
    assertThat(hex(frame)).isEqualTo(format("%s %08x %s", header, checksum, payload).trim());
  }

  private static BitSet segments(int... numbers) {
    BitSet segments = new BitSet();
    IntStream.of(numbers).forEach(segments::set);
    return segments;
  }

  @Test
  void verifiedFrameGivesItsPartsBack() throws ShipmentException {
    ByteBuffer shifted = ByteBuffer.allocateDirect(100).position(13);
    shifted.put(SEGMENT.duplicate()).flip().position(13);

    ByteBuffer payload = FrameHeader.verify(shifted);

    assertThat(payload.order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
    assertThat(StandardCharsets.UTF_8.decode(payload).toString()).isEqualTo("hello");
    assertThat(FrameHeader.type(shifted)).isEqualTo(FrameType.SEGMENT);
    assertThat(FrameHeader.shipmentId(shifted)).isEqualTo(0x0102030405060708L);
    assertThat(shifted.position()).isEqualTo(13);
    assertThat(shifted.remaining()).isEqualTo(29);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 45, BAD_FRAME, 'frame magic is 0x47595245, expected 0x47595244'",
    "4, 02, BAD_FRAME, wire format version 2 is not supported",
    "4, FF, BAD_FRAME, wire format version 255 is not supported",
    "5, 00, BAD_FRAME, frame type 0 is unknown",
    "5, 0c, BAD_FRAME, frame type 12 is unknown",
    "5, FF, BAD_FRAME, frame type 255 is unknown",
    "6, 01, BAD_FRAME, 'reserved bits of a frame are 0x0001'",
    "7, 80, BAD_FRAME, 'reserved bits of a frame are 0x8000'",
    "16, 06, BAD_FRAME, states 6 payload bytes and has 5",
    "16, 04, BAD_FRAME, states 4 payload bytes and has 5",
    "19, FF, LIMIT, 'SEGMENT frame of 4,278,190,085 bytes exceeds the limit of 4,259,840'",
    "20, 00, CHECKSUM, its header states",
    "24, 00, CHECKSUM, SEGMENT frame of 5 bytes has checksum",
  })
  void refusesWrongByteByName(int offset, String value, Fault fault, String message) {
    ByteBuffer frame = CargoBytes.copy(SEGMENT);
    frame.put(offset, (byte) HexFormat.fromHexDigits(value));

    assertFault(fault, () -> FrameHeader.verify(frame)).hasMessageContaining(message);
  }

  @Test
  void refusesEveryFlippedBit() {
    for (int bit = 0; bit < SEGMENT.limit() * Byte.SIZE; bit++) {
      ByteBuffer frame = CargoBytes.copy(SEGMENT);
      frame.put(bit / 8, (byte) (frame.get(bit / 8) ^ 1 << bit % 8));

      assertThatThrownBy(() -> FrameHeader.verify(frame))
          .as("bit %d", bit)
          .isInstanceOf(ShipmentException.class);
    }
  }

  @Test
  void refusesEveryTruncation() {
    for (int length = 0; length < SEGMENT.limit(); length++) {
      ByteBuffer frame = CargoBytes.copy(SEGMENT).limit(length);

      assertFault(Fault.BAD_FRAME, () -> FrameHeader.verify(frame))
          .as("length %d", length)
          .hasMessageContaining(length < FrameHeader.BYTES ? "shorter" : "states 5 payload bytes");
    }
  }

  @ParameterizedTest
  @EnumSource
  void takesPayloadUpToTheLimitOfItsType(FrameType type) throws ShipmentException {
    int limit = type.maxPayloadBytes();
    ByteBuffer frame = ByteBuffer.allocate(FrameHeader.BYTES + limit);
    FrameHeader.write(frame, type, 1);

    assertThat(FrameHeader.verify(frame).remaining()).isEqualTo(limit);
    frame.putInt(16, limit + 1);
    assertFault(Fault.LIMIT, () -> FrameHeader.payloadBytes(frame, 0))
        .hasMessageContaining(
            "%s frame of %,d bytes exceeds the limit of %,d", type, limit + 1, limit);
    ByteBuffer tooLong = ByteBuffer.allocate(FrameHeader.BYTES + limit + 1);
    assertThatThrownBy(() -> FrameHeader.write(tooLong, type, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("exceeds the limit of %,d", limit);
  }

  @Test
  void onlyBulkFramesNeedCredit() {
    assertThat(FrameType.values())
        .filteredOn(FrameType::needsCredit)
        .containsExactly(FrameType.MANIFEST, FrameType.SEGMENT, FrameType.CHUNK, FrameType.SEAL);
  }

  /** The bytes, grouped: magic, version to reserved, shipment, length, checksum, payload. */
  private static String hex(ByteBuffer frame) {
    byte[] bytes = new byte[frame.remaining()];
    frame.duplicate().get(bytes);
    StringBuilder hex = new StringBuilder();
    int from = 0;
    for (int to : new int[] {4, 8, 16, 20, 24, bytes.length}) {
      hex.append(' ').append(HexFormat.of().formatHex(bytes, from, to));
      from = to;
    }
    return hex.toString().trim();
  }
}
