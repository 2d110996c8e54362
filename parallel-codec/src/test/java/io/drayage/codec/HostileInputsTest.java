package io.drayage.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.segment.CargoAssembler;
import io.drayage.segment.Manifest;
import io.drayage.segment.SegmentHeader;
import io.drayage.testing.Refusals;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Segments made by hand, by a peer that lies about their content. */
@Timeout(180)
class HostileInputsTest {
  private static final int ROWS = 1_000;
  private static final int RAW_BYTES = ROWS * Long.BYTES;
  private static final int BOMB_BYTES = 8 << 20;
  private static final int[] OTHER_IDS = {0, 1, 2, 3, 127, 128, 201, 255};
  private static final int SERIALIZER_OFFSET = 4;
  private static final int COMPRESSOR_OFFSET = 5;
  private static final int SERIALIZED_BYTES_OFFSET = 8;

  static Stream<CodecPair> pairs() {
    return CodecPair.eachCodec().stream().filter(pair -> pair.compressor().id() != 1);
  }

  private static ChangeCargo zeros(int rows) {
    return TestContent.ofTable(
            "zeros", table -> table.insert("c", ColumnValues.of(new long[][] {new long[rows]})))
        .cargo();
  }

  /** The single segment of {@link #zeros}: header and compressed values. */
  private static ByteBuffer payload(CodecPair pair, int rows) throws Exception {
    SegmentsTrip trip = new SegmentsTrip(pair);
    ChangeCargo cargo = zeros(rows);
    ByteBuffer frame = trip.encode(trip.plan(cargo), cargo).get(0);
    return SegmentsTrip.copy(FrameHeader.verify(frame));
  }

  private static void decode(CodecPair pair, ByteBuffer payload) throws Exception {
    SegmentsTrip trip = new SegmentsTrip(pair);
    Manifest manifest = trip.plan(zeros(ROWS));
    try (SegmentDecoder decoder = trip.newDecoder()) {
      decoder.decode(payload, new CargoAssembler(manifest));
    }
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void refusesStatedBytesBeyondTheLimitNamingBoth(CodecPair pair) throws Exception {
    long limit = Math.min(SegmentDecoder.MAX_SERIALIZED_BYTES, maxRatioBytes(pair));
    for (long stated : new long[] {limit + 1, Integer.MAX_VALUE, -1, Integer.MIN_VALUE}) {
      ByteBuffer payload = payload(pair, ROWS).putInt(SERIALIZED_BYTES_OFFSET, (int) stated);

      Refusals.assertFault(Fault.LIMIT, () -> decode(pair, payload))
          .hasMessageContaining("states %,d serialized bytes", stated)
          .hasMessageContaining("the limit is %,d", limit);
    }
  }

  private static long maxRatioBytes(CodecPair pair) throws Exception {
    long compressed = payload(pair, ROWS).remaining() - (long) SegmentHeader.BYTES;
    return compressed * pair.compressor().maxRatio();
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void refusesASegmentThatHoldsMoreOrLessThanItStates(CodecPair pair) throws Exception {
    for (int stated : new int[] {0, 1, RAW_BYTES - 1, RAW_BYTES + 1}) {
      ByteBuffer payload = payload(pair, ROWS).putInt(SERIALIZED_BYTES_OFFSET, stated);

      Refusals.assertFault(Fault.DECODE, () -> decode(pair, payload));
    }
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void refusesABombThatStatesLittle(CodecPair pair) throws Exception {
    ByteBuffer zeros = ByteBuffer.allocateDirect(BOMB_BYTES);
    ByteBuffer payload = ByteBuffer.allocateDirect(BOMB_BYTES / 4).order(ByteOrder.LITTLE_ENDIAN);
    payload.put(payload(pair, ROWS).limit(SegmentHeader.BYTES));
    try (SegmentCompressor segments = pair.compressor().newSegmentCompressor()) {
      assertThat(segments.compress(zeros, payload)).isTrue();
    }

    Refusals.assertFault(Fault.DECODE, () -> decode(pair, payload.flip()));
  }

  @ParameterizedTest
  @MethodSource("io.drayage.codec.CodecPair#eachCodec")
  void refusesOtherCodecsThanThoseOfTheShipment(CodecPair pair) throws Exception {
    for (int offset : new int[] {SERIALIZER_OFFSET, COMPRESSOR_OFFSET}) {
      for (int id : OTHER_IDS) {
        ByteBuffer payload = payload(pair, 8);
        int own = payload.get(offset) & 0xFF;
        boolean allowed =
            offset == COMPRESSOR_OFFSET
                ? id == pair.compressor().id() || id == Compressor.STORED_ID
                : id == Serializer.RAW_ID && pair.compressor().id() == Compressor.STORED_ID;
        if (id != own && !allowed) {
          payload.put(offset, (byte) id);
          Refusals.assertFault(Fault.PROTOCOL_VIOLATION, () -> decode(pair, payload))
              .hasMessageContaining(String.valueOf(id))
              .hasMessageContaining(
                  "the shipment has %d and %d", pair.serializer().id(), pair.compressor().id());
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"raw", "delta"})
  void refusesStoredBytesThatPassForCompressedOnes(String serializer) throws Exception {
    for (Compressor compressor : Compressors.all()) {
      CodecPair pair = new CodecPair(CodecPair.of(serializer, "none").serializer(), compressor);
      CodecPair stored = CodecPair.of(serializer, "none");
      ByteBuffer payload = payload(stored, ROWS);
      // Segments of a user's compressor begin with a digest; segments of our compressors do not.
      if (compressor.id() != Compressor.STORED_ID && compressor.id() <= Codec.MAX_RESERVED_ID) {
        decode(pair, payload.duplicate().order(ByteOrder.LITTLE_ENDIAN));
        payload.put(COMPRESSOR_OFFSET, (byte) compressor.id());
        Refusals.assertFault(Fault.DECODE, () -> decode(pair, payload));
      }
    }
  }
}
