package io.drayage.columnar.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Huffman codes: complete, never longer than they may be, and about as short as they can be. */
@Timeout(60)
class HuffmanCodeTest {
  private static final int COUNT = 1 << 15;

  private final HuffmanCode code = new HuffmanCode();
  private final HuffmanTable table = new HuffmanTable();

  @Test
  void anyDistributionSurvives() {
    for (int seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] bytes = new byte[random.nextInt(3, seed % 8 == 0 ? COUNT : 600)];
      int symbols = random.nextInt(2, 257);
      int first = random.nextInt(256);
      double skew = random.nextDouble() * 12;
      for (int i = 0; i < bytes.length; i++) {
        int symbol = (int) (symbols * Math.pow(random.nextDouble(), skew));
        bytes[i] = (byte) (first + (i < 2 ? i : symbol));
      }
      assertSurvives(bytes, "seed " + seed);
    }
  }

  /** Each byte comes as often as the two before together: the tree is as deep as can be. */
  @Test
  void theDeepestTreeIsCut() {
    byte[] bytes = new byte[COUNT];
    int at = 0;
    int before = 1;
    int number = 1;
    for (int symbol = 0; at < COUNT; symbol++) {
      int end = Math.min(COUNT, at + number);
      Arrays.fill(bytes, at, end, (byte) symbol);
      at = end;
      int next = before + number;
      before = number;
      number = next;
    }
    assertSurvives(bytes, "Fibonacci");
    assertThat(code.lengths()).contains((byte) HuffmanCode.MAX_BITS);
  }

  private void assertSurvives(byte[] bytes, String what) {
    long bits = code.fit(bytes, bytes.length);
    code.assign();

    assertThat(table.take(code.lengths())).as(what).isTrue();
    assertThat((double) bits).as(what).isLessThanOrEqualTo(1.05 * leastBits(bytes));
    int quarter = bytes.length / HuffmanTable.STREAMS;
    byte[] coded = new byte[2 * bytes.length + 4 * 64];
    int[] starts = new int[HuffmanTable.STREAMS + 1];
    for (int stream = 0; stream < HuffmanTable.STREAMS; stream++) {
      int from = stream * quarter;
      int number = stream == HuffmanTable.STREAMS - 1 ? bytes.length - from : quarter;
      starts[stream + 1] = code.write(bytes, from, number, coded, starts[stream]);
    }
    assertThat(8L * starts[HuffmanTable.STREAMS]).as(what).isBetween(bits, bits + 32);
    byte[] read = new byte[bytes.length];
    assertThat(table.read(coded, starts, read, bytes.length)).as(what).isTrue();
    assertThat(read).as(what).isEqualTo(bytes);
    starts[2]++;
    assertThat(table.read(coded, starts, read, bytes.length)).as(what).isFalse();
  }

  /** What a code without a limit takes: the sum of all inner nodes of the tree. */
  private static long leastBits(byte[] bytes) {
    long[] counts = new long[256];
    for (byte b : bytes) {
      counts[b & 0xFF]++;
    }
    PriorityQueue<Long> nodes = new PriorityQueue<>();
    Arrays.stream(counts).filter(count -> count > 0).forEach(nodes::add);
    long bits = 0;
    while (nodes.size() > 1) {
      long node = nodes.remove() + nodes.remove();
      bits += node;
      nodes.add(node);
    }
    return bits;
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1", "1,1,1", "1,2,3", "1,2,2,2", "11", "8"})
  void whatIsNoCodeIsRefused(String lengthsOfFirst) {
    assertThat(table.take(lengths(lengthsOfFirst))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1,1", "1,2,2", "2,2,2,2", "1,2,3,4,5,6,7,8,9,10,11,11"})
  void whatIsACodeIsTaken(String lengthsOfFirst) {
    assertThat(table.take(lengths(lengthsOfFirst))).isTrue();
  }

  private static byte[] lengths(String ofFirst) {
    byte[] lengths = new byte[HuffmanCode.SYMBOLS];
    String[] each = ofFirst.split(",", -1);
    for (int i = 0; i < each.length; i++) {
      lengths[i] = Byte.parseByte(each[i]);
    }
    return lengths;
  }
}
