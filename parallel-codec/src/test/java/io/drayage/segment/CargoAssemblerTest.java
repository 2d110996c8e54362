package io.drayage.segment;

import static io.drayage.segment.PartKind.DELETED_ROWS;
import static io.drayage.segment.PartKind.INSERTED_VALUES;
import static io.drayage.segment.PartKind.UPDATED_ROWS;
import static io.drayage.segment.PartKind.UPDATED_VALUES;
import static io.drayage.testing.Refusals.assertFault;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RandomCargo;
import io.drayage.codec.Compressors;
import io.drayage.codec.SegmentEncoder;
import io.drayage.codec.Serializers;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.BufferPool;
import io.drayage.memory.ByteBudget;
import io.drayage.memory.Lease;
import io.drayage.testing.CargoBytes;
import io.drayage.testing.Waiting;
import io.drayage.testing.Waiting.Running;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class CargoAssemblerTest {
  private static final int RAW = 2;
  private static final BufferPool BUFFERS = new BufferPool(1 << 16, new ByteBudget(64 << 20));

  @Test
  void segmentsInAnyOrderMakeTheCargo() throws Exception {
    ChangeCargo cargo = RandomCargo.of(1, 3_000);
    Manifest manifest = new SegmentPlanner(4_096).plan(cargo);
    CargoAssembler assembler = new CargoAssembler(manifest);
    List<Segment> shuffled = new ArrayList<>(manifest.segments());
    Collections.shuffle(shuffled, new Random(1));
    for (Segment segment : shuffled) {
      transfer(segment, CargoAssembler.contentsOf(cargo), assembler);
    }
    assertThat(CargoDigest.of(assembler.cargo())).as("seed 1").isEqualTo(CargoDigest.of(cargo));
  }

  @Test
  void refusesUnknownAndRepeatedSegments() throws ShipmentException {
    Manifest manifest = new SegmentPlanner(4_096).plan(RandomCargo.of(2, 100));
    CargoAssembler assembler = new CargoAssembler(manifest);
    int count = assembler.manifest().segments().size();
    for (int index : new int[] {-1, count, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      assertFault(Fault.PROTOCOL_VIOLATION, () -> assembler.claim(index, 0))
          .hasMessageContaining("segment %,d is outside the %d segments", index, count);
    }
    for (int index = 0; index < count; index++) {
      int again = index;
      assertThat(assembler.claim(index, 0)).containsExactly(manifest.segments().get(index));
      assertFault(Fault.SEGMENT_REPEATED, () -> assembler.claim(again, 0))
          .hasMessageContaining("segment %d (", index)
          .hasMessageContaining("came twice");
    }
  }

  @Test
  void oneOfSeveralThreadsGetsASegment() throws Exception {
    Manifest manifest = new SegmentPlanner(4_096).plan(RandomCargo.of(3, 3_000));
    CargoAssembler assembler = new CargoAssembler(manifest);
    List<Running<Integer>> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      threads.add(Waiting.start(() -> claimAll(assembler)));
    }
    int claimed = 0;
    for (Running<Integer> thread : threads) {
      claimed += thread.get();
    }
    assertThat(claimed).isEqualTo(assembler.manifest().segments().size());
  }

  private static int claimAll(CargoAssembler assembler) {
    int claimed = 0;
    for (int index = 0; index < assembler.manifest().segments().size(); index++) {
      try {
        assembler.claim(index, 0);
        claimed++;
      } catch (ShipmentException e) {
        assertThat(e.fault()).isEqualTo(Fault.SEGMENT_REPEATED);
      }
    }
    return claimed;
  }

  @Test
  void refusesPartsThatMakeNoCargo() {
    assertRefused(
        "are not followed by their values",
        table(1).part(UPDATED_ROWS, ColumnType.LONG, "c", 1, 8));
    assertRefused(
        "are not followed by their values",
        table(2)
            .part(UPDATED_ROWS, ColumnType.LONG, "c", 1, 8)
            .part(UPDATED_VALUES, ColumnType.LONG, "d", 1, 8));
    assertRefused(
        "do not follow their rows", table(1).part(UPDATED_VALUES, ColumnType.INT, "c", 1, 4));
    assertRefused(
        "must be longs",
        table(2)
            .part(UPDATED_ROWS, ColumnType.INT, "c", 1, 4)
            .part(UPDATED_VALUES, ColumnType.INT, "c", 1, 4));
    assertRefused(
        "2 row ids for 1 values",
        table(2)
            .part(UPDATED_ROWS, ColumnType.LONG, "c", 2, 16)
            .part(UPDATED_VALUES, ColumnType.INT, "c", 1, 4));
    assertRefused(
        "inserts 2 rows, but column 'c' 1",
        table(2)
            .part(INSERTED_VALUES, ColumnType.INT, "c", 1, 4)
            .part(INSERTED_VALUES, ColumnType.INT, "d", 2, 8));
    assertRefused(
        "deleted rows of table 't' are given twice",
        table(2).part(DELETED_ROWS, null, "", 1, 8).part(DELETED_ROWS, null, "", 1, 8));
    assertRefused(
        "deleted rows of table 't' are given twice",
        table(2).part(DELETED_ROWS, null, "", 1, 8).ids(ColumnType.LONG.id(), 0, "", 1, 8, 9));
  }

  @Test
  void refusesDuplicateAndImpossibleNames() {
    assertRefused(
        "is inserted twice",
        table(2)
            .part(INSERTED_VALUES, ColumnType.INT, "c", 1, 4)
            .part(INSERTED_VALUES, ColumnType.INT, "c", 1, 4));
    assertRefused("table 't' occurs twice", new ManifestBytes(2).table("t", 0).table("t", 0));
    assertRefused(
        "table 't' occurs twice", new ManifestBytes(3).table("t", 0).table("u", 0).table("t", 0));
    assertRefused("not 0", table(1).part(INSERTED_VALUES, ColumnType.INT, "", 1, 4));
  }

  @Test
  void refusesMoreTextThanTheManifestStates() throws Exception {
    ColumnValues texts = ColumnValues.ofTexts(new String[][] {{"a", "x".repeat(100), "b"}});
    ManifestBytes bytes = table(1).part(INSERTED_VALUES, ColumnType.STRING, "c", 3, 3 * 4 + 101);
    Manifest lying = ManifestCodec.ofPayload(bytes.payload(), 1_000);

    assertFault(
            Fault.LIMIT,
            () -> transfer(lying.segments().get(0), List.of(texts), new CargoAssembler(lying)))
        .hasMessageContaining("segment 0 (inserted values of t.c, rows 0 to 2)")
        .hasMessageContaining("113 raw bytes");
  }

  @Test
  void refusesTextInThePlaceOfValidityBits() throws Exception {
    ColumnValues texts = ColumnValues.ofTexts(new String[][] {{"a", "x".repeat(100), null}});
    ChangeCargo cargo = CargoBytes.cargoOf(texts);
    Manifest honest = new SegmentPlanner(4_096).plan(cargo);
    Manifest lying = honest.withRawBytes(new long[] {honest.rawBytes() - 1});

    transfer(honest.segments().get(0), List.of(texts), new CargoAssembler(honest));
    assertFault(
            Fault.LIMIT,
            () -> transfer(lying.segments().get(0), List.of(texts), new CargoAssembler(lying)))
        .hasMessageContaining("brings more text than");
  }

  @Test
  void serializerThatFailsGivesItsBufferBack() {
    ByteBudget budget = new ByteBudget(1 << 20);
    Manifest manifest = new SegmentPlanner(4_096).plan(RandomCargo.of(4, 10));
    SegmentEncoder encoder = new SegmentEncoder(raw(), RAW, Compressors.ofName("none"));
    PartContent wrong = ColumnValues.allocate(ColumnType.LONG, 10, false);

    assertThatThrownBy(
            () ->
                encoder.encode(
                    List.of(manifest.segments().get(0)),
                    List.of(wrong),
                    new BufferPool(100, budget),
                    1))
        .isInstanceOf(RuntimeException.class);
    assertThat(budget.usedBytes()).isZero();
  }

  private static void transfer(
      Segment segment, List<PartContent> contents, CargoAssembler assembler) throws Exception {
    SegmentEncoder encoder = new SegmentEncoder(raw(), RAW, Compressors.ofName("none"));
    try (Lease frame = encoder.encode(List.of(segment), contents, BUFFERS, 1)) {
      CargoBytes.decode(frame.buffer(), assembler);
    }
  }

  private static SegmentSerializer raw() {
    return Serializers.ofId(RAW).newSegmentSerializer();
  }

  private static ManifestBytes table(int partCount) {
    return new ManifestBytes(1).table("t", partCount);
  }

  private static void assertRefused(String why, ManifestBytes bytes) {
    assertFault(
            Fault.MANIFEST,
            () -> new CargoAssembler(ManifestCodec.ofPayload(bytes.payload(), 1 << 20)))
        .hasMessageContaining(why);
  }
}
