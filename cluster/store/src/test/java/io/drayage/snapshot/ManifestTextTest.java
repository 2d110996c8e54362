package io.drayage.snapshot;

import static io.drayage.testing.Refusals.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.TableSchema;
import io.drayage.database.DatabaseOrigin;
import io.drayage.database.LogPosition;
import io.drayage.database.LoggedTransaction;
import io.drayage.frame.AppVersion;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentHeader.Pipeline;
import io.drayage.objectstore.ObjectDigest;
import io.drayage.testing.ShipmentHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ManifestTextTest {
  private static final Instant CREATED = Instant.parse("2026-11-21T10:15:30Z");
  private static final UUID TRANSACTION = new UUID(1, 2);
  private static final UUID DATABASE = new UUID(3, 4);

  private static final String GOLDEN =
      """
      drayage-snapshot 1
      kind commit
      database 00000000-0000-0003-0000-000000000004
      timestamp 42
      epoch 3
      parent 9f3a2b1c
      created 2026-11-21T10:15:30Z
      applied 00112233445566ff
      transaction 00000000-0000-0001-0000-000000000002 40 worker_7
      worker worker_7
      cargo 00000000-0000-0001-0000-000000000002 40 segments 2 4 0
      seal 953 0123456789abcdef
      data data/frames 8388609
      blocks 00000001 fffffffe
      end 3da921a0
      """;

  private static SnapshotContents contents(ObjectDigest digest) {
    return contents(digest, "worker 7");
  }

  private static SnapshotContents contents(ObjectDigest digest, String worker) {
    return new SnapshotContents(
        new StoredBytes("data/frames", digest),
        ShipmentHeaders.of(TRANSACTION, 40, Pipeline.SEGMENTS, 2, 4, worker),
        new Seal(953, 0x0123456789abcdefL));
  }

  private static SnapshotManifest commit() {
    return SnapshotManifest.entry(
        SnapshotKind.Commit.of(0x00112233445566ffL, contents(new ObjectDigest(8_388_609, 1, -2))),
        new LogPosition(DATABASE, 41, 0x9f3a2b1c),
        3,
        CREATED);
  }

  private static String encode(SnapshotManifest manifest) {
    return StandardCharsets.UTF_8.decode(ManifestText.encode(manifest)).toString();
  }

  @Test
  void isWrittenAsItAlwaysWas() {
    assertThat(encode(commit())).isEqualTo(GOLDEN);
  }

  @Test
  void isReadAsItWasWritten() {
    int[] checksums = IntStream.range(0, 33).map(i -> i * 0x9E3779B9).toArray();
    ObjectDigest digest = new ObjectDigest(33L * ObjectDigest.BLOCK_BYTES, checksums);
    SnapshotManifest full =
        SnapshotManifest.full(
            new SnapshotKind.Full(
                new DatabaseOrigin(new UUID(1, 2), 40),
                contents(digest),
                new StoredBytes("data/past", new ObjectDigest(0))),
            new LogPosition(DATABASE, 0, 0),
            0,
            CREATED);
    SnapshotManifest takeover =
        SnapshotManifest.entry(
            new SnapshotKind.Takeover(new UUID(3, 3)),
            new LogPosition(DATABASE, 6, -1),
            2,
            CREATED);

    assertThat(encode(ManifestText.parse(encode(full)))).isEqualTo(encode(full));
    assertThat(encode(full)).contains("\norigin " + new UUID(1, 2) + " 40\n");
    assertThat(ManifestText.parse(encode(full)).full().origin()).isEqualTo(full.full().origin());
    assertThat(ManifestText.parse(encode(full)).database()).isEqualTo(DATABASE);
    assertThat(ManifestText.parse(encode(takeover))).isEqualTo(takeover);
    SnapshotManifest read = ManifestText.parse(encode(commit()));
    assertThat(read.kind())
        .isInstanceOfSatisfying(
            SnapshotKind.Commit.class,
            commit -> assertThat(commit.applied()).isEqualTo(0x00112233445566ffL));
    assertThat(read.transactionId()).isEqualTo(TRANSACTION);
    assertThat(read.parent()).isEqualTo(41);
    assertThat(new SnapshotEntry(read, 0).key()).isEqualTo("snapshots/00000000000000000042.commit");
  }

  @Test
  void tellsWhereFramesBegin() {
    FrameIndex.Builder index = new FrameIndex.Builder();
    for (long offset : new long[] {52, 9_000_000, 30_000_000, 30_000_100}) {
      index.add(offset);
    }
    SnapshotContents plain = contents(new ObjectDigest(4L * ObjectDigest.BLOCK_BYTES, 1, 2, 3, 4));
    SnapshotManifest full =
        SnapshotManifest.full(
            new SnapshotKind.Full(
                null,
                new SnapshotContents(plain.data(), plain.header(), plain.seal(), index.build(4)),
                new StoredBytes("data/past", new ObjectDigest(0))),
            new LogPosition(DATABASE, 0, 0),
            0,
            CREATED);

    assertThat(encode(full))
        .contains(
            "\nframes 0+52 1+611392 2+0 2+4834176\nstride 1\nstarts 52 8999948 21000000 100\n");
    assertThat(ManifestText.parse(encode(full)).full().rows().frames()).isEqualTo(index.build(4));
    String earlier = encode(full).replaceAll("\nstride 1\nstarts [0-9 ]+", "");
    StringBuilder lines =
        new StringBuilder(earlier.substring(0, earlier.lastIndexOf("\nend ") + 1));
    String text = StandardCharsets.UTF_8.decode(RecordLines.close(lines)).toString();
    assertThat(ManifestText.parse(text).full().rows().frames())
        .isNotNull()
        .satisfies(frames -> assertThat(frames.startCount()).isZero());
    assertThatThrownBy(
            () -> new SnapshotContents(plain.data(), plain.header(), plain.seal(), index.build(5)))
        .hasMessage("5 blocks are indexed, there are 4");
  }

  @Test
  void namesTheCargoesOfATransactionInTheirOrder() {
    LoggedTransaction transaction =
        new LoggedTransaction(
            new UUID(7, 7),
            40,
            "driver",
            new AppVersion("load:a", 17, List.of("orders of 2026", "of")));
    SnapshotContents first = contents(new ObjectDigest(9, 1));
    SnapshotContents second = contents(new ObjectDigest(8, 2));
    SnapshotManifest commit =
        SnapshotManifest.entry(
            new SnapshotKind.Commit(transaction, 5, List.of(), List.of(), List.of(second, first)),
            new LogPosition(DATABASE, 41, 1),
            3,
            CREATED);

    String text = encode(commit);

    assertThat(text)
        .contains(
            "\ntransaction "
                + new UUID(7, 7)
                + " 40 driver\napp 17 load:a\nof of\nof orders of 2026\nworker worker_7\ncargo ");
    SnapshotManifest read = ManifestText.parse(text);
    assertThat(encode(read)).isEqualTo(text);
    assertThat(read.transaction()).isEqualTo(transaction);
    assertThat(read.transactionId()).isEqualTo(new UUID(7, 7));
    assertThat(read.references()).containsExactly(second.data(), first.data());
    assertThat(read.dataBytes()).isEqualTo(17);
  }

  @Test
  void namesEachWorkerOnce() {
    List<SnapshotContents> cargoes =
        Stream.of("b", "a", "b", "a b", "")
            .map(name -> contents(new ObjectDigest(9, 1), name))
            .toList();
    LoggedTransaction transaction = new LoggedTransaction(new UUID(7, 7), 40, "driver", null);
    String text =
        encode(
            SnapshotManifest.entry(
                new SnapshotKind.Commit(transaction, 5, List.of(), List.of(), cargoes),
                new LogPosition(DATABASE, 41, 1),
                3,
                CREATED));

    assertThat(text).contains("\nworker b\nworker a\nworker a_b\nworker \ncargo ");
    assertThat(ManifestText.parse(text).cargoes())
        .extracting(cargo -> cargo.header().worker())
        .containsExactly("b", "a", "b", "a_b", "");
    assertRefused(text.replace("worker b\n", ""), "worker 3 of 3 named workers");
    assertRefused(text.replace(" 4 3\n", " 4 -1\n"), "worker -1 of 4 named workers");
  }

  @Test
  void namesTheTablesThatACommitAdds() {
    List<TableSchema> added =
        List.of(
            TableSchema.of(
                "orders of 2026",
                ColumnSchema.of("id", ColumnType.LONG),
                ColumnSchema.nullable(" end 1a2b3c4d", ColumnType.STRING)),
            TableSchema.of("tä", ColumnSchema.nullable("column 5 0 x", ColumnType.BOOLEAN)));
    LoggedTransaction transaction = new LoggedTransaction(new UUID(7, 7), 40, "driver", null);
    SnapshotManifest commit =
        SnapshotManifest.entry(
            new SnapshotKind.Commit(
                transaction,
                5,
                List.of("orders of 2026", "t"),
                added,
                List.of(contents(new ObjectDigest(9, 1)))),
            new LogPosition(DATABASE, 41, 1),
            3,
            CREATED);

    String text = encode(commit);

    assertThat(text)
        .contains(
            "\ndrop orders of 2026\ndrop t\ntable orders of 2026\ncolumn 5 0 id\ncolumn 8 1  end 1a2b3c4d\n"
                + "table tä\ncolumn 1 1 column 5 0 x\nworker worker_7\ncargo ");
    assertThat(ManifestText.parse(text).droppedTables()).containsExactly("orders of 2026", "t");
    assertThat(ManifestText.parse(text).newTables()).isEqualTo(added);
    assertThat(encode(ManifestText.parse(text))).isEqualTo(text);
    assertRefused(text.replace("column 5 0 id", "column 5 2 id"), "nulls '2'");
    assertRefused(text.replace("column 5 0 id\n", "column 5 id\n"), "'column' of 4 words");
    assertRefused(
        text.replace("table tä\ncolumn 1 1 column 5 0 x\n", "table tä\n"), "'tä' has no columns");
  }

  /** Fails unless the changed text, with its new checksum, is refused. */
  private static void assertRefused(String changed, String why) {
    StringBuilder lines =
        new StringBuilder(changed.substring(0, changed.lastIndexOf("\nend ") + 1));
    String text = StandardCharsets.UTF_8.decode(RecordLines.close(lines)).toString();
    assertFails(() -> ManifestText.parse(text), IllegalArgumentException.class, why);
  }

  @Test
  void anEndWithoutEffectNamesItsTransactionOnly() {
    LoggedTransaction transaction = new LoggedTransaction(new UUID(7, 7), 40, "driver", null);
    for (SnapshotKind kind :
        List.of(new SnapshotKind.Abort(transaction), new SnapshotKind.Expired(transaction))) {
      SnapshotManifest end =
          SnapshotManifest.entry(kind, new LogPosition(DATABASE, 41, 1), 3, CREATED);

      assertThat(ManifestText.parse(encode(end))).isEqualTo(end);
      assertThat(end.transactionId()).isNull();
      assertThat(end.references()).isEmpty();
    }
  }

  @Test
  void refusesEveryCutAndEveryFlip() {
    for (int length = 0; length < GOLDEN.length(); length++) {
      String cut = GOLDEN.substring(0, length);
      assertThatThrownBy(() -> ManifestText.parse(cut)).isInstanceOf(RuntimeException.class);
    }
    for (int at = 0; at < GOLDEN.length(); at++) {
      for (int bit = 1; bit < 128; bit <<= 1) {
        StringBuilder flipped = new StringBuilder(GOLDEN);
        flipped.setCharAt(at, (char) (GOLDEN.charAt(at) ^ bit));
        assertThatThrownBy(() -> ManifestText.parse(flipped.toString()))
            .as("%d flipped at %d", bit, at)
            .isInstanceOf(IllegalArgumentException.class);
      }
    }
  }
}
