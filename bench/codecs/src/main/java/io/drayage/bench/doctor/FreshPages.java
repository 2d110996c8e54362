package io.drayage.bench.doctor;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.doctor.Finding.Mark;
import io.drayage.internal.TemporaryFolder;
import io.drayage.objectstore.FolderStore;
import io.drayage.objectstore.ObjectUpload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * What memory costs that is taken anew from the system, for a process and for the page cache: in a
 * virtual machine that gives free memory back to its host it can cost more than what it is for.
 */
final class FreshPages {
  private static final int MEMORY_BYTES = 64 << 20;
  private static final double DEAR_S_PER_GB = 1;

  /** Enough for a store to choose. */
  private static final int OBJECT_MIB = 24;

  private FreshPages() {}

  static List<Finding> find() {
    long beganNs = System.nanoTime();
    // Writes zeros, so that every page is there.
    int bytes = ByteBuffer.allocateDirect(MEMORY_BYTES).capacity();
    double seconds = (System.nanoTime() - beganNs) / 1e9;
    return List.of(memory(seconds * 1e9 / bytes), pageCache());
  }

  static Finding memory(double secondsPerGb) {
    boolean dear = secondsPerGb > DEAR_S_PER_GB;
    return Finding.of(
        dear ? Mark.NOTE : Mark.OK,
        "fresh memory",
        format("%.2f s per GB", secondsPerGb),
        dear ? "first uses of memory are slow: warm up long" : "first uses of memory cost little");
  }

  private static Finding pageCache() {
    String what = "snapshots";
    try {
      return Finding.of(Mark.OK, what, howStored(), "how a store writes to the temporary files");
    } catch (IOException e) {
      return Finding.of(
          Mark.NO, what, NativeFindings.shortCause(e), "cannot be stored in the temporary files");
    }
  }

  private static String howStored() throws IOException {
    try (TemporaryFolder folder = TemporaryFolder.make("drayage-doctor-");
        FolderStore store = FolderStore.open(folder.path())) {
      try (ObjectUpload upload = store.begin("object")) {
        ByteBuffer piece = ByteBuffer.allocateDirect(1 << 20);
        for (int i = 0; i < OBJECT_MIB; i++) {
          upload.write(piece.clear());
        }
        upload.complete();
      }
      return store.describeWriting();
    }
  }
}
