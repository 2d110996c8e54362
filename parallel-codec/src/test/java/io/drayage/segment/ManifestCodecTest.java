package io.drayage.segment;

import static io.drayage.frame.Fault.LIMIT;
import static io.drayage.frame.Fault.MANIFEST;
import static io.drayage.testing.Refusals.assertFault;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RandomCargo;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableSchema;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ManifestCodecTest {
  private static final long MAX_BYTES = 1 << 20;
  private static final int INSERTED = PartKind.INSERTED_VALUES.id();
  private static final int DELETED = PartKind.DELETED_ROWS.id();
  private static final int LONG = ColumnType.LONG.id();
  private static final int TEXT = ColumnType.STRING.id();
  private static final TableSchema NEW =
      TableSchema.of(
          "tä",
          ColumnSchema.of("a", ColumnType.LONG),
          ColumnSchema.nullable("b c", ColumnType.STRING));

  @Test
  void manifestHasTheSpecifiedBytes() throws ShipmentException {
    ColumnValues longs = ColumnValues.of(new long[][] {new long[70_000]});
    ChangeCargo cargo =
        ChangeCargo.builder(new UUID(1, 2), 3)
            .table("tä", t -> t.insert("c", longs).delete(RowBits.allSet(65)))
            .table("none", t -> {})
            .build();
    ByteBuffer expected =
        new ManifestBytes(2)
            .table("tä", 2)
            .part(INSERTED, LONG, 0, "c", 70_000, 560_000, 136, 512, 1, 368)
            .part(PartKind.DELETED_ROWS, null, "", 65, 16)
            .table("none", 0)
            .payload();

    ByteBuffer frame = ManifestCodec.toFrame(new SegmentPlanner(4_096).plan(cargo), 9);

    assertThat(FrameHeader.verify(frame)).isEqualTo(expected);
  }

  @Test
  void deletedRowsAreIdsWhereTheseAreShorter() throws ShipmentException {
    RowBits few = new RowBits(129); // 3 words.
    few.set(128);
    few.set(7);
    RowBits many = new RowBits(128);
    many.set(0);
    many.set(1);
    ChangeCargo cargo =
        ChangeCargo.builder(new UUID(1, 2), 3)
            .table("few", t -> t.delete(few))
            .table("many", t -> t.delete(many))
            .build();
    ByteBuffer expected =
        new ManifestBytes(2)
            .table("few", 1)
            .ids(LONG, 0, "", 2, 16, 129)
            .table("many", 1)
            .part(PartKind.DELETED_ROWS, null, "", 128, 16)
            .payload();

    ByteBuffer frame = ManifestCodec.toFrame(new SegmentPlanner(4_096).plan(cargo), 9);

    assertThat(FrameHeader.verify(frame)).isEqualTo(expected);
    assertThat(ManifestCodec.ofPayload(expected, MAX_BYTES).rawBytes())
        .isEqualTo(CargoSize.rawBytes(cargo));
  }

  @Test
  void refusesIdsOfDeletedRowsThatCannotBe() {
    int text = ColumnType.STRING.id();
    assertRefused(MANIFEST, "deleted rows have the name 'c'", ids(LONG, 0, "c", 1, 8, 9));
    assertRefused(MANIFEST, "their ids are no longs", ids(text, 0, "", 1, 8, 9));
    assertRefused(MANIFEST, "or may be null", ids(LONG, 1, "", 1, 16, 9));
    assertRefused(MANIFEST, "2 ids for 1 rows", ids(LONG, 0, "", 2, 16, 1));
    assertRefused(MANIFEST, "2 ids for 0 rows", ids(LONG, 0, "", 2, 16, 0));
    assertRefused(MANIFEST, "7 raw bytes for 1 rows", ids(LONG, 0, "", 1, 7, 9));
    assertRefused(LIMIT, "deleted rows of t: -1 rows are outside", ids(LONG, 0, "", 0, 0, -1));
    assertRefused(
        LIMIT, "1,099,511,627,777 rows are outside", ids(LONG, 0, "", 1, 8, (1L << 40) + 1));
  }

  /** Otherwise 8 bytes would allocate 128 MiB of references to pages. */
  @Test
  void countsTheBitsThatIdsBecome() throws ShipmentException {
    ManifestBytes one = ids(LONG, 0, "", 1, 8, 1L << 40);
    long bytes = 8 + 8 * (1L << 24) + 8_192 + 16;

    assertFault(LIMIT, () -> ManifestCodec.ofPayload(one.payload(), bytes - 1))
        .hasMessageContaining("a cargo of 134,225,944 bytes or more exceeds the limit");
    assertThat(ManifestCodec.ofPayload(one.payload(), bytes).memoryBytes()).isEqualTo(bytes);
  }

  private static ManifestBytes ids(
      int type, int flags, String column, int ids, long raw, long tableRows) {
    return table(1).ids(type, flags, column, ids, raw, tableRows);
  }

  @Test
  void newTablesHaveTheSpecifiedBytes() throws ShipmentException {
    ChangeCargo cargo =
        ChangeCargo.builder(new UUID(1, 2), 3)
            .dropTable("old")
            .newTable(NEW)
            .mustBeNew("tä")
            .newTable(TableSchema.of("empty", ColumnSchema.of("c", ColumnType.BYTE)))
            .table("tä", t -> t.insert("a", ColumnValues.of(new long[][] {{7}})))
            .build();
    ByteBuffer expected =
        new ManifestBytes(1)
            .table("tä", 1)
            .part(PartKind.INSERTED_VALUES, ColumnType.LONG, "a", 1, 8)
            .adding(3)
            .newTable(2, "old", 0)
            .newTable(1, "tä", 2)
            .newColumn(LONG, 0, "a")
            .newColumn(TEXT, 1, "b c")
            .newTable("empty", 1)
            .newColumn(ColumnType.BYTE.id(), 0, "c")
            .payload();

    ByteBuffer frame = ManifestCodec.toFrame(new SegmentPlanner(4_096).plan(cargo), 9);

    assertThat(FrameHeader.verify(frame)).isEqualTo(expected);
    ChangeCargo received = new CargoAssembler(ManifestCodec.ofPayload(expected, MAX_BYTES)).cargo();
    assertThat(received.droppedTables()).containsExactly("old");
    assertThat(received.newTables()).isEqualTo(cargo.newTables());
    assertThat(CargoDigest.of(ChangeCargo.builder(new UUID(1, 2), 3).dropTable("t").build()))
        .isNotEqualTo(CargoDigest.of(ChangeCargo.builder(new UUID(1, 2), 3).build()));
    assertThat(received.mustBeNew()).containsExactly("tä");
    assertThat(received.as(new UUID(3, 4), 5).mustBeNew()).containsExactly("tä");
    // It is a condition, not content.
    assertThat(CargoDigest.of(cargo.adding(cargo.newTables()))).isEqualTo(CargoDigest.of(cargo));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ChangeCargo.builder(new UUID(1, 2), 3).mustBeNew("t").build())
        .withMessage("table 't' must be new, but the cargo does not add it");
  }

  @Test
  void refusesNewTablesThatCannotBe() {
    assertRefused(LIMIT, "-1 new tables", adding(-1));
    assertRefused(LIMIT, "65,537 new tables", adding(65_537));
    assertRefused(MANIFEST, "0 new tables", adding(0));
    assertRefused(LIMIT, "-1 columns", adding(1).newTable("t", -1));
    assertRefused(MANIFEST, "new table 't': unknown flags 0x04", adding(1).newTable(4, "t", 1));
    assertRefused(MANIFEST, "new table 't': unknown flags 0x03", adding(1).newTable(3, "t", 1));
    assertRefused(MANIFEST, "dropped table 't' has 1 columns", adding(1).newTable(2, "t", 1));
    assertRefused(MANIFEST, "'t' has no columns", adding(1).newTable("t", 0));
    assertRefused(MANIFEST, "column type 9", adding(1).newTable("t", 1).newColumn(9, 0, "c"));
    assertRefused(
        MANIFEST,
        "column 'c' of new table 't': unknown flags 0x02",
        adding(1).newTable("t", 1).newColumn(LONG, 2, "c"));
    assertRefused(
        MANIFEST,
        "the column name '\\u001B[2J' has a control character",
        adding(1).newTable("t", 1).newColumn(LONG, 0, "\u001B[2J"));
    assertRefused(
        MANIFEST,
        "column 'c' appears twice in table 't'",
        adding(1).newTable("t", 2).newColumn(LONG, 0, "c").newColumn(TEXT, 0, "c"));
    ManifestBytes twice =
        adding(2).newTable("t", 1).newColumn(LONG, 0, "c").newTable("t", 1).newColumn(LONG, 0, "c");
    assertFault(
            MANIFEST, () -> new CargoAssembler(ManifestCodec.ofPayload(twice.payload(), MAX_BYTES)))
        .hasMessageContaining("table 't' is added twice");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 65, 5_000})
  void manifestsSurviveTheRoundTrip(int rows) throws ShipmentException {
    for (int seed = 0; seed < 5; seed++) {
      ChangeCargo cargo = RandomCargo.of(seed, rows).adding(List.of(NEW));
      Manifest manifest = new SegmentPlanner(SegmentPlanner.MIN_SEGMENT_BYTES).plan(cargo);
      ByteBuffer payload = FrameHeader.verify(ManifestCodec.toFrame(manifest, 1));

      assertThat(ManifestCodec.ofPayload(payload, manifest.memoryBytes()))
          .as("seed %d", seed)
          .isEqualTo(manifest);
    }
  }

  @Test
  void refusesEveryTruncation() throws ShipmentException {
    ByteBuffer payload = smallPayload();
    // A manifest without new tables ends there.
    int whole = payload.limit() - 26;
    assertThat(ManifestCodec.ofPayload(copy(payload, whole), MAX_BYTES).newTables()).isEmpty();
    for (int length = 0; length < payload.limit(); length++) {
      if (length == whole) {
        continue;
      }
      ByteBuffer shorter = copy(payload, length);

      assertFault(MANIFEST, () -> ManifestCodec.ofPayload(shorter, MAX_BYTES))
          .as("%d of %d bytes", length, payload.limit())
          .hasMessageMatching(".*(ends in the middle|do not fit into).*");
    }
    ByteBuffer longer = copy(payload, payload.limit() + 1);
    assertFault(MANIFEST, () -> ManifestCodec.ofPayload(longer, MAX_BYTES))
        .hasMessageContaining("1 bytes follow the manifest");
  }

  @Test
  void everyFlippedBitIsRefusedOrGivesAConsistentManifest() throws ShipmentException {
    ByteBuffer payload = smallPayload();
    int consistent = 0;
    for (int bit = 0; bit < payload.limit() * Byte.SIZE; bit++) {
      ByteBuffer flipped = copy(payload, payload.limit());
      flipped.put(bit / 8, (byte) (flipped.get(bit / 8) ^ 1 << bit % 8));
      try {
        Manifest manifest = ManifestCodec.ofPayload(flipped, MAX_BYTES);
        assertThat(manifest.rawBytes()).as("bit %d", bit).isBetween(0L, MAX_BYTES);
        assertThat(new CargoAssembler(manifest).manifest().segments().size())
            .isEqualTo(manifest.segments().size());
        consistent++;
      } catch (ShipmentException e) {
        assertThat(Set.of(MANIFEST, LIMIT))
            .as("bit %d: %s", bit, e.getMessage())
            .contains(e.fault());
      }
    }
    assertThat(consistent).as("flipped ids, snapshots and names").isPositive();
  }

  @Test
  void refusesNamesThatWouldSteerATerminal() {
    String clearing = "\u001B[2J";
    assertRefused(
        MANIFEST,
        "the table name '\\u001B[2J' has a control character",
        new ManifestBytes(1).table(clearing, 0));
    assertRefused(
        MANIFEST,
        "the column name '\\u001B[2J' has a control character",
        new ManifestBytes(1)
            .table("t", 1)
            .part(PartKind.INSERTED_VALUES, ColumnType.LONG, clearing, 1, 8));
    assertRefused(
        MANIFEST,
        "deleted rows have the name '\\u001B[2J'",
        new ManifestBytes(1).table("t", 1).part(PartKind.DELETED_ROWS, null, clearing, 64, 8));
  }

  @Test
  void refusesCountsOutsideTheirLimits() {
    assertRefused(LIMIT, "-1 tables", new ManifestBytes(-1));
    assertRefused(LIMIT, "65,537 tables", new ManifestBytes(Manifest.MAX_TABLES + 1));
    assertRefused(LIMIT, "-1 parts", new ManifestBytes(1).table("t", -1));
    assertRefused(LIMIT, "1,048,577 parts", new ManifestBytes(1).table("t", (1 << 20) + 1));
    assertRefused(LIMIT, "-1 rows", part(LONG, 0, -1, -8));
    assertRefused(LIMIT, "rows are outside", part(LONG, 0, (1L << 40) + 1, 0));
  }

  @Test
  void refusesCargoAboveTheLimitHoweverItsSizeIsStated() {
    assertRefused(LIMIT, "exceeds the limit of 1,048,576", part(LONG, 0, 1L << 40, 1L << 43));
    assertRefused(LIMIT, "exceeds the limit", part(TEXT, 0, 0, Long.MAX_VALUE));
    assertRefused(
        LIMIT,
        "1,048,584 bytes or more",
        new ManifestBytes(1)
            .table("t", 2)
            .part(INSERTED, LONG, 0, "a", 131_072, 1_048_576, 2, 65_536)
            .part(PartKind.INSERTED_VALUES, ColumnType.LONG, "b", 1, 8));
    ManifestBytes overflowing =
        new ManifestBytes(1)
            .table("t", 2)
            .part(INSERTED, TEXT, 0, "a", 0, Long.MAX_VALUE)
            .part(INSERTED, TEXT, 0, "b", 0, Long.MAX_VALUE);
    assertFault(LIMIT, () -> ManifestCodec.ofPayload(overflowing.payload(), Long.MAX_VALUE / 4));
  }

  @Test
  void refusesRawBytesThatContradictTheRows() {
    assertRefused(MANIFEST, "7 raw bytes for 1 rows", part(LONG, 0, 1, 7, 1, 1));
    assertRefused(MANIFEST, "9 raw bytes for 1 rows", part(LONG, 0, 1, 9, 1, 1));
    assertRefused(MANIFEST, "which need 16", part(LONG, 1, 1, 8, 1, 1));
    assertRefused(MANIFEST, "at least 8", part(TEXT, 0, 2, 7, 1, 2));
    assertRefused(MANIFEST, "-1 raw bytes", part(TEXT, 0, 0, -1));
  }

  @Test
  void refusesSegmentsThatContradictThePart() {
    assertRefused(MANIFEST, "2 rows in segments, 1 in", part(LONG, 0, 1, 8, 1, 2));
    assertRefused(MANIFEST, "0 rows in segments, 1 in", part(LONG, 0, 1, 8));
    assertRefused(MANIFEST, "a run of 0 segments", part(LONG, 0, 1, 8, 0, 1));
    assertRefused(MANIFEST, "a run of -1 segments", part(LONG, 0, 1, 8, -1, 1));
    assertRefused(MANIFEST, "segments of 0 rows", part(LONG, 0, 1, 8, 1, 0));
    assertRefused(MANIFEST, "segments of -1 rows", part(LONG, 0, 1, 8, 1, -1));
    assertRefused(MANIFEST, "63 rows, not a multiple", part(LONG, 0, 600, 4_800, 1, 63, 1, 537));
    assertRefused(MANIFEST, "-1 runs", part(LONG, 0, 1, 8).lastInt(-1));
    assertRefused(MANIFEST, "2,147,483,647 runs", part(LONG, 0, 1, 8).lastInt(Integer.MAX_VALUE));
    assertRefused(LIMIT, "2,147,483,647 segments", part(TEXT, 0, 1, 4, Integer.MAX_VALUE, 1));
    assertRefused(
        LIMIT,
        "4,294,967,294 segments",
        part(TEXT, 0, 1, 4, Integer.MAX_VALUE, 1, Integer.MAX_VALUE, 1));
    assertRefused(
        LIMIT,
        "65,536 segments exceed the limit of 129",
        part(TEXT, 0, 65_536, 262_144, 65_536, 1));
    ManifestBytes huge = part(LONG, 0, 524_289, 524_289 * 8L, 1, 524_289);
    assertFault(LIMIT, () -> ManifestCodec.ofPayload(huge.payload(), Long.MAX_VALUE))
        .hasMessageContaining("a segment of 524,289 rows exceeds the limit of 524,288");
  }

  @Test
  void refusesUnknownKindsTypesAndFlags() {
    assertRefused(MANIFEST, "part kind 0", table(1).part(0, LONG, 0, "c", 0, 0));
    assertRefused(MANIFEST, "part kind 255", table(1).part(255, LONG, 0, "c", 0, 0));
    assertRefused(MANIFEST, "column type 0", part(0, 0, 0, 0));
    assertRefused(MANIFEST, "column type 9", part(9, 0, 0, 0));
    assertRefused(MANIFEST, "unknown flags 0x02", part(LONG, 2, 0, 0));
    assertRefused(MANIFEST, "type 5", table(1).part(DELETED, LONG, 0, "", 0, 0));
  }

  private static ManifestBytes adding(int newTables) {
    return new ManifestBytes(0).adding(newTables);
  }

  private static ManifestBytes table(int partCount) {
    return new ManifestBytes(1).table("t", partCount);
  }

  private static ManifestBytes part(int type, int flags, long rows, long raw, int... runs) {
    return table(1).part(INSERTED, type, flags, "c", rows, raw, runs);
  }

  private static void assertRefused(Fault fault, String why, ManifestBytes bytes) {
    assertFault(fault, () -> ManifestCodec.ofPayload(bytes.payload(), MAX_BYTES))
        .hasMessageContaining(why);
  }

  private static ByteBuffer smallPayload() throws ShipmentException {
    Manifest manifest = new SegmentPlanner(4_096).plan(RandomCargo.of(7, 700).adding(List.of(NEW)));
    return FrameHeader.verify(ManifestCodec.toFrame(manifest, 1));
  }

  private static ByteBuffer copy(ByteBuffer payload, int length) {
    ByteBuffer copy = ByteBuffer.allocate(length).order(payload.order());
    return copy.put(0, payload, 0, Math.min(length, payload.limit()));
  }
}
