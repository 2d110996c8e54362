package io.drayage.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.testing.Faults;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every compressor keeps to its buffers, whatever their sizes and whatever stands in them. */
@Timeout(60)
class GuardedCompressorTest {
  private static final long SEED = 47;

  static Stream<Compressor> compressors() {
    return Compressors.all().stream().filter(compressor -> compressor.id() != Compressor.STORED_ID);
  }

  private static List<byte[]> inputs() {
    Random random = new Random(SEED);
    byte[] noise = new byte[3_000];
    random.nextBytes(noise);
    byte[] few = new byte[70_001];
    for (int i = 0; i < few.length; i++) {
      few[i] = (byte) random.nextInt(1 + i % 7);
    }
    return List.of(new byte[1], new byte[7], new byte[300_000], noise, few);
  }

  @ParameterizedTest
  @MethodSource("compressors")
  void compressesIntoExactlyTheRoomItNeedsAndRefusesLess(Compressor compressor) {
    try (SegmentCompressor segments = compressor.newSegmentCompressor()) {
      for (byte[] input : inputs()) {
        int needed = compress(segments, input, 2 * input.length + 1_000).remaining();
        for (int room : new int[] {0, 1, needed / 2, needed - 1, needed + 1}) {
          Guarded source = Guarded.of(ByteBuffer.wrap(input));
          Guarded target = new Guarded(Math.max(0, room));
          boolean done = segments.compress(source.buffer(), target.buffer());
          String what =
              "%,d bytes into %,d (%,d needed), seed %d"
                  .formatted(input.length, room, needed, SEED);

          // Some formats want more room for the work than for the result.
          assertThat(done && room < needed).as(what).isFalse();
          target.assertGuardsUntouched(what);
          source.assertGuardsUntouched(what);
          assertThat(source.buffer()).as(what).isEqualTo(ByteBuffer.wrap(input));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("compressors")
  void decompressesIntoExactlyTheStatedRoomAndRefusesAnyOther(Compressor compressor)
      throws ShipmentException {
    try (SegmentCompressor segments = compressor.newSegmentCompressor()) {
      for (byte[] input : inputs()) {
        ByteBuffer compressed = compress(segments, input, 2 * input.length + 1_000);
        Guarded exact = new Guarded(input.length);
        ByteBuffer target = exact.buffer();
        segments.decompress(Guarded.of(compressed).buffer(), target);
        assertThat(target.hasRemaining()).isFalse();
        assertThat(exact.buffer()).as("seed %d", SEED).isEqualTo(ByteBuffer.wrap(input));
        exact.assertGuardsUntouched("%,d bytes".formatted(input.length));

        for (int room : new int[] {0, input.length / 2, input.length - 1, input.length + 1}) {
          Guarded other = new Guarded(room);
          Faults.assertFault(
              Fault.DECODE,
              () -> segments.decompress(Guarded.of(compressed).buffer(), other.buffer()));
          other.assertGuardsUntouched("%,d bytes in room for %,d".formatted(input.length, room));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("compressors")
  void refusesBytesBehindTheDataAndDataThatIsCut(Compressor compressor) {
    try (SegmentCompressor segments = compressor.newSegmentCompressor()) {
      byte[] input = inputs().get(4);
      ByteBuffer compressed = compress(segments, input, 2 * input.length);
      ByteBuffer longer =
          ByteBuffer.allocateDirect(compressed.remaining() + 1).put(compressed.duplicate());
      Guarded target = new Guarded(input.length);
      Faults.assertFault(Fault.DECODE, () -> segments.decompress(longer.rewind(), target.buffer()));
      for (int length = 0; length < compressed.limit(); length += 1 + length / 50) {
        ByteBuffer cut = SegmentsTrip.copy(compressed.slice(0, length));
        Faults.assertFault(Fault.DECODE, () -> segments.decompress(cut, target.buffer()));
      }
      target.assertGuardsUntouched("seed " + SEED);
    }
  }

  @ParameterizedTest
  @MethodSource("compressors")
  void keepsToItsRowsWhateverItIsToDecompress(Compressor compressor) throws ShipmentException {
    Random random = new Random(SEED);
    try (SegmentCompressor segments = compressor.newSegmentCompressor()) {
      byte[] input = inputs().get(4);
      ByteBuffer compressed = compress(segments, input, 2 * input.length);
      for (int trial = 0; trial < 500; trial++) {
        ByteBuffer broken = SegmentsTrip.copy(compressed);
        for (int i = random.nextInt(4); i >= 0; i--) {
          broken.put(random.nextInt(broken.limit()), (byte) random.nextInt());
        }
        Guarded target = new Guarded(random.nextInt(input.length));
        tryDecompress(segments, broken, target.buffer());
        target.assertGuardsUntouched("trial %d, seed %d".formatted(trial, SEED));
      }
      Guarded whole = new Guarded(input.length);
      segments.decompress(compressed, whole.buffer());
      assertThat(whole.buffer()).as("works on after errors").isEqualTo(ByteBuffer.wrap(input));
    }
  }

  private static void tryDecompress(
      SegmentCompressor segments, ByteBuffer source, ByteBuffer target) {
    try {
      segments.decompress(source, target);
    } catch (ShipmentException e) {
      assertThat(e.fault()).isEqualTo(Fault.DECODE);
    }
  }

  private static ByteBuffer compress(SegmentCompressor segments, byte[] input, int room) {
    ByteBuffer target = new Guarded(room).buffer();
    int start = target.position();
    assertThat(segments.compress(Guarded.of(ByteBuffer.wrap(input)).buffer(), target)).isTrue();
    return SegmentsTrip.copy(target.limit(target.position()).position(start));
  }
}
