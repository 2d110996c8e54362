package io.drayage.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.drayage.bench.cargoes.ThesisCargo;
import io.drayage.bench.link.Link;
import io.drayage.bench.peer.PeerJob;
import io.drayage.bench.rig.CargoFiles.OfWorker;
import io.drayage.bench.rig.node.Delivery;
import io.drayage.bench.system.Systems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CargoFilesTest {
  @TempDir private Path folder;

  private static CargoFiles files(long sizeBytes, Path folder) {
    RigPlan plan =
        new RigPlan(
            List.of(),
            new CargoSpec("thesis", sizeBytes, sizeBytes, 1),
            1,
            0,
            HeapPlan.of(100_000, 0),
            folder,
            Delivery.INTO_MEMORY,
            Link.loopback(1));
    return new CargoFiles(plan, folder);
  }

  @Test
  void writesThemOnce() throws IOException {
    CargoFiles files = files(100_000, folder);
    List<OfWorker> written = files.ofWorkers();
    Path file = folder.resolve("worker-1.cargo");
    assertThat(written).containsExactly(new OfWorker(file.toString(), null));
    Files.delete(file);
    assertThat(files.ofWorkers()).isSameAs(written);
    assertThat(file).doesNotExist();
  }

  @Test
  void saysWhyThereIsNoneIfTheyCannotBeWritten() {
    List<OfWorker> written = files(100_000, folder.resolve("gone")).ofWorkers();
    assertThat(written).hasSize(1);
    assertThat(written.get(0).whyNone()).contains("NoSuchFileException");
  }

  @Test
  void saysWhyThereIsNoneIfTheDiskIsFull() throws IOException {
    long freeBytes = Files.getFileStore(folder).getUsableSpace();
    assumeTrue(freeBytes < ThesisCargo.MAX_SIZE_BYTES, "no cargo is larger than this disk");
    List<OfWorker> written = files(ThesisCargo.MAX_SIZE_BYTES, folder).ofWorkers();
    assertThat(written).hasSize(1);
    assertThat(written.get(0).file()).isNull();
    assertThat(written.get(0).whyNone())
        .startsWith("its cargo cannot be written to a file in " + folder)
        .contains("bytes, only ");
    assertThat(folder).isEmptyDirectory();

    Assignment assignment =
        Assignment.ofPeer(Systems.notation().parse("arrow-flight"), written, 1, "127.0.0.1");
    PeerJob job = (PeerJob) assignment.workers().get(0);
    assertThat(job.cargoFile()).isNull();
    assertThat(job.whyNoCargo()).isEqualTo(written.get(0).whyNone());
  }
}
