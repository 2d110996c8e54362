package io.drayage.segment;

import static io.drayage.testing.Refusals.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RowBits;
import io.drayage.codec.Serializers;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.internal.DigestingSink;
import io.drayage.segment.internal.PartialAssembler;
import io.drayage.testing.CargoBytes;
import io.drayage.testing.Waiting;
import io.drayage.testing.Waiting.Running;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Deleted rows that travel as the ids of these rows. */
final class DeletedIdsTest {
  private static final long LIMIT = 1L << 40;

  @Test
  void bitsAndIdsGiveTheSameCargo() throws Exception {
    for (long seed = 1; seed <= 25; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      long size = random.nextLong(1, 1L << random.nextInt(1, 22));
      RowBits deleted = new RowBits(size);
      long count = random.nextLong(Math.min(size, 30_000) + 1);
      for (long i = 0; i < count; i++) {
        deleted.set(random.nextLong(size));
      }
      ChangeCargo cargo = cargo(deleted);
      Manifest bits = manifest(new Part(0, "t", PartKind.DELETED_ROWS, "", null, false, size, 0));
      Manifest ids = manifest(ids(deleted.cardinality(), size));
      long digest = CargoDigest.of(cargo);

      for (CargoAssembler read :
          List.of(assembled(bits, deleted, random), assembled(ids, deleted.ids(), random))) {
        assertThat(read.cargo().tables().get(0).deletedRows())
            .as("seed %d", seed)
            .isEqualTo(deleted);
        assertThat(CargoDigest.of(read.cargo())).as("seed %d", seed).isEqualTo(digest);
      }
      assertThat(digested(bits, deleted, random)).as("seed %d", seed).isEqualTo(digest);
      assertThat(digested(ids, deleted.ids(), random)).as("seed %d", seed).isEqualTo(digest);
      ChangeCargo travelled =
          CargoBytes.frames().read(new ByteArrayInputStream(CargoBytes.of(cargo)), LIMIT);
      assertThat(CargoDigest.of(travelled)).as("seed %d", seed).isEqualTo(digest);
    }
  }

  @Test
  void threadsMayDecodeSegmentsThatShareAWord() throws Exception {
    RowBits deleted = new RowBits(20_000);
    for (int row = 0; row < 20_000; row += 3) {
      deleted.set(row);
    }
    Part part = ids(deleted.cardinality(), 20_000);
    Manifest manifest = manifest(part);
    CargoAssembler assembler = new CargoAssembler(manifest);
    List<Running<Integer>> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      int own = t;
      threads.add(
          Waiting.start(
              () -> {
                for (int s = own; s < manifest.segments().size(); s += 4) {
                  decode(manifest.segments().get(s), deleted.ids(), assembler);
                }
                return 0;
              }));
    }
    for (Running<Integer> thread : threads) {
      int unused = thread.get();
    }
    assertThat(assembler.cargo().tables().get(0).deletedRows()).isEqualTo(deleted);
  }

  @Test
  void refusesIdsThatAreNoSetOfRows() {
    assertRefused("row id 5 follows 5", 10, 5, 5);
    assertRefused("row id 4 follows 5", 10, 5, 4);
    assertRefused("row id -1 follows -1", 10, -1, 4);
    assertRefused("row id 10 is outside the table's 10 rows", 10, 5, 10);
    assertRefused("row id 9,223,372,036,854,775,807 is outside", 10, 5, Long.MAX_VALUE);
  }

  @Test
  void refusesARowThatStandsInTwoSegments() throws ShipmentException {
    long[] ids = new long[65];
    for (int i = 0; i < 64; i++) {
      ids[i] = i;
    }
    ids[64] = 63;
    Part part = ids(65, 99);
    Manifest manifest = manifest(part);
    CargoAssembler assembler = new CargoAssembler(manifest);
    ColumnValues values = ColumnValues.of(new long[][] {ids});
    decode(manifest.segments().get(1), values, assembler);

    assertFault(Fault.DECODE, () -> decode(manifest.segments().get(0), values, assembler))
        .hasMessageContaining("row id 63 stands twice");
  }

  private static void assertRefused(String why, long tableRows, long... ids) {
    Part part = ids(ids.length, tableRows);
    Manifest manifest = manifest(part);
    ColumnValues values = ColumnValues.of(new long[][] {ids});
    Segment segment = manifest.segments().get(0);
    assertFault(Fault.DECODE, () -> decode(segment, values, new CargoAssembler(manifest)))
        .hasMessageContaining("deleted rows of t")
        .hasMessageContaining(why);
    assertFault(Fault.DECODE, () -> decode(segment, values, new DigestingSink(manifest)))
        .hasMessageContaining(why);
    assertFault(
            Fault.DECODE,
            () ->
                decode(
                    segment, values, new PartialAssembler(manifest, (t, c) -> true, each -> true)))
        .hasMessageContaining(why);
  }

  private static ChangeCargo cargo(RowBits deleted) {
    return ChangeCargo.builder(new UUID(1, 2), 3).table("t", t -> t.delete(deleted)).build();
  }

  /** A part of {@code count} ids of a table with {@code tableRows} rows. */
  private static Part ids(long count, long tableRows) {
    return new Part(0, "t", PartKind.DELETED_IDS, "", ColumnType.LONG, false, count, 0, tableRows);
  }

  /** A manifest of one part, in segments of 64 rows. */
  private static Manifest manifest(Part part) {
    List<Segment> segments = new ArrayList<>();
    Manifest.addSegments(part, SegmentRuns.uniform(part.rowCount(), 64), segments);
    return new Manifest(
        new UUID(1, 2), 3, List.of(), List.of(), Set.of(), List.of("t"), List.of(part), segments);
  }

  private static CargoAssembler assembled(
      Manifest manifest, PartContent content, SplittableRandom random) throws ShipmentException {
    CargoAssembler assembler = new CargoAssembler(manifest);
    decodeAll(manifest, content, random, assembler);
    return assembler;
  }

  private static long digested(Manifest manifest, PartContent content, SplittableRandom random)
      throws ShipmentException {
    DigestingSink sink = new DigestingSink(manifest);
    decodeAll(manifest, content, random, sink);
    return sink.digest();
  }

  private static void decodeAll(
      Manifest manifest, PartContent content, SplittableRandom random, CargoSink sink)
      throws ShipmentException {
    List<Segment> shuffled = new ArrayList<>(manifest.segments());
    Collections.shuffle(shuffled, new Random(random.nextLong()));
    for (Segment segment : shuffled) {
      decode(segment, content, sink);
    }
  }

  private static void decode(Segment segment, PartContent content, CargoSink sink)
      throws ShipmentException {
    SegmentSerializer raw = Serializers.ofName("raw").newSegmentSerializer();
    ByteBuffer bytes =
        ByteBuffer.allocateDirect(raw.maxSerializedBytes(segment, content))
            .order(ByteOrder.LITTLE_ENDIAN);
    raw.serialize(segment, content, bytes);
    sink.decode(segment, bytes.flip(), raw, new SegmentScratch());
  }
}
