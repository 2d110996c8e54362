package io.drayage.codec;

import static io.drayage.testing.Refusals.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.RandomCargo;
import io.drayage.frame.Fault;
import io.drayage.testing.CargoBytes;
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
import org.junit.jupiter.api.Test;

final class CargoFramesTest {
  @Test
  void spareRowsStayBehind() throws IOException {
    ChangeCargo cargo = RandomCargo.of(6, 1_000);

    assertThat(CargoBytes.of(SpareRows.of(cargo, 300))).isEqualTo(CargoBytes.of(cargo));
  }

  @Test
  void cargoesSurvive() throws IOException {
    for (TestContent content : SmallContents.all()) {
      byte[] bytes = CargoBytes.of(content.cargo());

      RoundTripBattery.assertSame(
          content, CargoBytes.frames().read(new ByteArrayInputStream(bytes), 1L << 30));
    }
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
}
