package io.drayage.codec;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;

/** The hostile bytes as streams; run by {@link StudyCodecsTest}. */
final class HostileStreams extends HostileBytes {
  private static final int BOMB_PAGES = 96;

  private HostileStreams(CodecPair pair) {
    super(pair);
  }

  /** Tries every pair. The last line of the output names the pair under test. */
  public static void main(String[] args) throws Exception {
    for (CodecPair pair : CodecPair.all()) {
      boolean each = CodecPair.eachCodec().contains(pair);
      System.out.println(pair);
      new HostileStreams(pair).tryStream(each ? 1 : Integer.parseInt(args[0]));
    }
    for (CodecPair pair : CodecPair.eachCodec()) {
      boolean bare = pair.compressor().id() == Compressor.STORED_ID;
      CodecPair bombing =
          bare ? new CodecPair(pair.serializer(), Compressors.ofName("zstd")) : pair;
      System.out.println(bombing + " bomb");
      tryBomb(bombing);
    }
    System.out.println("done");
  }

  /**
   * @param step 1 for every cut and bit, n for one of n
   */
  private void tryStream(int step) throws IOException {
    StreamTrip trip = new StreamTrip(pair);
    byte[] whole = trip.write(cargo);
    for (int length = 0; length < whole.length; length += step) {
      int cut = length;
      check(
          format("stream cut to %d of %d bytes", cut, whole.length),
          () -> trip.read(new ByteArrayInputStream(whole, 0, cut), MAX_CARGO_BYTES));
    }
    for (int bit = new Random(step).nextInt(step); bit < whole.length * 8; bit += step) {
      byte[] flipped = whole.clone();
      flipped[bit >>> 3] ^= (byte) (1 << (bit & 7));
      check(
          format("stream of %d bytes with bit %d flipped", whole.length, bit),
          () -> trip.read(new ByteArrayInputStream(flipped), MAX_CARGO_BYTES));
    }
  }

  /**
   * Tries few bytes that stand for a cargo of 48 MB. A reader may make the cargo only if it shares
   * arrays, as the writer does.
   */
  private static void tryBomb(CodecPair pair) throws IOException {
    long[][] pages = new long[BOMB_PAGES][];
    Arrays.fill(pages, new long[ColumnValues.DEFAULT_ROWS_PER_PAGE]);
    ChangeCargo bomb =
        TestContent.ofTable("bomb", table -> table.insert("c", ColumnValues.of(pages))).cargo();
    StreamTrip trip = new StreamTrip(pair);
    byte[] bytes = trip.write(bomb);
    try {
      ChangeCargo read = trip.read(new ByteArrayInputStream(bytes), MAX_CARGO_BYTES);
      if (CargoDigest.of(read) != CargoDigest.of(bomb)) {
        throw new AssertionError(pair + ": the bomb became another cargo");
      }
    } catch (ShipmentException e) {
      boolean named = String.valueOf(e.getMessage()).contains(format("%,d", MAX_CARGO_BYTES));
      if (e.fault() != Fault.LIMIT || !named) {
        throw new AssertionError(pair + ": a bomb is not refused by its limit", e);
      }
    }
  }
}
