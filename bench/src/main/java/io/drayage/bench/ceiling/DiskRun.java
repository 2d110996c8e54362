package io.drayage.bench.ceiling;

import io.drayage.bench.rig.DiskProbe;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** Writes a file and forces it to the disk. */
final class DiskRun implements Measured {
  private final DiskProbe disk;
  private final long bytes;

  DiskRun(Path folder, long bytes) throws IOException {
    this.disk = new DiskProbe(folder);
    this.bytes = bytes;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public Path run() throws IOException {
    disk.write(bytes);
    return disk.file();
  }

  @Override
  public void close() {
    try {
      disk.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
