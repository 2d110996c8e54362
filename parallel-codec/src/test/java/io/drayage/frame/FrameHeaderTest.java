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
        header.toFrame(new OpenRequest(2, 0x1234, 0x5678)),
        "44525947 01010000 0000000000000000 3d000000",
        "0100000000000000020000000000000003000000000000000204050203020000"
            + "0600000000000000f9ffffffffffffff0d0c0b0a341200007856000077");
    assertBytes(
        new Accepted(7, 8, new Token(1, -2), 30_000, 4, new StoreShare(9, 10, 11)).toFrame(),
        "44525947 01110000 0700000000000000 40000000",
        "070000000000000008000000000000000100000000000000feffffffffffffff307500000000000004000000"
            + "09000000000000000a000000000000000b000000");
    assertBytes(
        new Join(new Token(1, -2), Join.Purpose.RESUME).toFrame(7),
        "44525947 01070000 0700000000000000 11000000",
        "0100000000000000feffffffffffffff02");
    assertBytes(
        new Joined(8, segments(0, 1, 3, 12)).toFrame(7),
        "44525947 01160000 0700000000000000 0e000000",
        "0800000000000000020000000204");
    assertBytes(
        new Seal(2, -1).toFrame(FrameType.SEAL, 7),
        "44525947 01050000 0700000000000000 10000000",
        "0200000000000000ffffffffffffffff");
    assertBytes(
        new Seal(2, -1).toFrame(FrameType.HELD, 7),
        "44525947 01130000 0700000000000000 10000000",
        "0200000000000000ffffffffffffffff");
    assertBytes(
        ControlFrame.credit(7, 9),
        "44525947 01120000 0700000000000000 08000000",
        "0900000000000000");
    assertBytes(
        ControlFrame.committed(7, 10),
        "44525947 01140000 0700000000000000 08000000",
        "0a00000000000000");
    assertBytes(ControlFrame.heartbeat(7), "44525947 01200000 0700000000000000 00000000", "");
    assertBytes(
        Failure.toFrame(FrameType.FAILED, 7, refused),
        "44525947 01150000 0700000000000000 0a000000",
        "03000000020000006e6f");
    ShipmentException lost = refused.withOutcome(ShipmentException.Outcome.UNKNOWN);
    assertBytes(
        Failure.toFrame(FrameType.CANCEL, 7, lost),
        "44525947 01060000 0700000000000000 0a000000",
        "03000000010000006e6f");
  }

  /** Checks the specified bytes before and behind the checksum, which is computed. */
  private static void assertBytes(ByteBuffer frame, String header, String payload) {
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
