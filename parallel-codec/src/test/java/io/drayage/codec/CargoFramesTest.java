package io.drayage.codec;

import static io.drayage.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.RandomCargo;
import io.drayage.frame.Fault;
import io.drayage.testing.CargoBytes;
import io.drayage.testing.Repaging;
import io.drayage.testing.SpareRows;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CargoFramesTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 63, 64, 65, 1_023, 1_024, 1_025, 65_535, 65_536, 65_537})
  void everyTypeSurvivesAtEveryBorder(int rows) throws IOException {
    assertRoundTrip(RandomCargo.of(rows, rows), "seed " + rows);
  }

  @Test
  void pagingOfTheSenderDoesNotMatter() throws IOException {
    assertRoundTrip(Repaging.of(RandomCargo.of(1, 3_000), 1), "pages of 1");
    assertRoundTrip(Repaging.of(RandomCargo.of(2, 70_000), 100), "pages of 100");
    assertRoundTrip(Repaging.of(RandomCargo.of(3, 70_000), 65_000), "pages of 65,000");
  }

  @Test
  void spareRowsStayBehind() throws IOException {
    ChangeCargo cargo = RandomCargo.of(6, 1_000);

    assertThat(CargoBytes.of(SpareRows.of(cargo, 300))).isEqualTo(CargoBytes.of(cargo));
  }

  @Test
  void cargoesWithoutPartsOrTablesSurvive() throws IOException {
    assertRoundTrip(ChangeCargo.builder(new UUID(1, 2), 3).build(), "no tables");
    assertRoundTrip(
        ChangeCargo.builder(new UUID(1, 2), 3).table("a", t -> {}).table("b", t -> {}).build(),
        "no parts");
  }

  @Test
  void readsNothingBeyondTheCargo() throws IOException {
    byte[] bytes = CargoBytes.of(RandomCargo.of(4, 10));
    byte[] twice = Arrays.copyOf(bytes, 2 * bytes.length);
    System.arraycopy(bytes, 0, twice, bytes.length, bytes.length);
    InputStream in = new ByteArrayInputStream(twice);

    long first = CargoDigest.of(CargoBytes.frames().read(in, 1 << 20));
    assertThat(in.available()).isEqualTo(bytes.length);
    assertThat(CargoDigest.of(CargoBytes.frames().read(in, 1 << 20))).isEqualTo(first);
  }

  @Test
  void takesACargoUpToItsLimitAndNoLarger() throws IOException {
    ChangeCargo cargo = RandomCargo.of(5, 100);
    byte[] bytes = CargoBytes.of(cargo);
    long raw = CargoSize.rawBytes(cargo);

    CargoBytes.frames().read(new ByteArrayInputStream(bytes), raw);
    assertFault(
            Fault.LIMIT, () -> CargoBytes.frames().read(new ByteArrayInputStream(bytes), raw - 1))
        .hasMessageContaining("at offset 0")
        .hasMessageContaining("exceeds the limit of %,d", raw - 1);
    assertThat(CargoFrames.inspect(new ByteArrayInputStream(bytes)).rawBytes()).isEqualTo(raw);
  }

  @Test
  void refusesACargoOfWhichFramesAreMissing() throws IOException {
    List<ByteBuffer> frames = CargoBytes.framesOf(RandomCargo.of(8, 100));
    int last = frames.size() - 1;

    assertFault(Fault.PROTOCOL_VIOLATION, () -> read(frames.subList(1, last + 1)))
        .hasMessageContaining("a SEGMENT frame where a MANIFEST frame was expected");
    frames.remove(last - 1);
    assertFault(Fault.PROTOCOL_VIOLATION, () -> read(frames))
        .hasMessageContaining("a SEAL frame where a SEGMENT frame was expected");
  }

  private static ChangeCargo read(List<ByteBuffer> frames) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    WritableByteChannel channel = Channels.newChannel(bytes);
    for (ByteBuffer frame : frames) {
      channel.write(frame.duplicate());
    }
    return CargoBytes.frames().read(new ByteArrayInputStream(bytes.toByteArray()), 1 << 20);
  }

  private static void assertRoundTrip(ChangeCargo cargo, String what) throws IOException {
    byte[] bytes = CargoBytes.of(cargo);
    ChangeCargo read = CargoBytes.frames().read(new ByteArrayInputStream(bytes), 1L << 30);

    assertThat(CargoDigest.of(read)).as(what).isEqualTo(CargoDigest.of(cargo));
    assertThat(read.transactionId()).isEqualTo(cargo.transactionId());
    assertThat(read.baseSnapshot()).isEqualTo(cargo.baseSnapshot());
  }
}
