package io.drayage.cli.cluster;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.drayage.testing.ProcessResult;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * A separate file system in a file. It can be full, and can lose power, which deletes data that was
 * not synced. Needs root.
 */
final class TortureDisk implements AutoCloseable {
  private static final long BYTES = 400L << 20;
  private static final long REST_BYTES = 8 << 20;
  private static final int BLOCK_BYTES = 4_096;

  /** {@code EXT4_IOC_SHUTDOWN} without writing the journal: no more data reaches the disk. */
  private static final String SHUT_DOWN =
      "import fcntl,os,struct,sys; fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY),"
          + " 0x8004587D, struct.pack('I', 2))";

  private final Path image;
  private final Path mounts;
  private final Path root;
  private boolean isWhole = true;

  TortureDisk(Path folder) throws IOException, InterruptedException {
    image = folder.resolve("disk.img");
    mounts = Files.createDirectory(folder.resolve("mounts"));
    root = mounts.resolve("disk");
    // Network namespaces have their own mounts, which follow those within a shared mount.
    run("mount", "--bind", mounts.toString(), mounts.toString());
    run("mount", "--make-shared", mounts.toString());
    Files.createDirectory(root);
    run("truncate", "--size=" + BYTES, image.toString());
    run("mkfs.ext4", "-q", "-F", "-m", "0", image.toString());
    mount();
  }

  /** Skips the test if such a disk is impossible. */
  static void requirePossible() {
    for (String tool : List.of("/usr/sbin/mkfs.ext4", "/usr/bin/python3", "/usr/bin/fallocate")) {
      assumeTrue(Files.isExecutable(Path.of(tool)), "skipped: %s is not there".formatted(tool));
    }
    assumeTrue(Files.isWritable(Path.of("/dev/loop-control")), "skipped: loop devices need root");
  }

  static void run(String... command) throws IOException, InterruptedException {
    Object unused = ProcessResult.of(new ProcessBuilder(command), 60).succeeded();
  }

  private void mount() throws IOException, InterruptedException {
    run("mount", "-o", "loop", image.toString(), root.toString());
  }

  Path root() {
    return root;
  }

  /** Whether it has no fault. */
  boolean isWhole() {
    return isWhole;
  }

  /** Fills the disk: most of it at once, the rest by blocks. */
  void fill() throws IOException, InterruptedException {
    isWhole = false;
    Path filler = root.resolve("filler");
    long free = Files.getFileStore(root).getUsableSpace() - REST_BYTES;
    if (free > 0) {
      run("fallocate", "--length=" + free, filler.toString());
    }
    try (OutputStream rest =
        Files.newOutputStream(filler, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      while (true) {
        rest.write(new byte[BLOCK_BYTES]);
      }
    } catch (IOException e) {
      // The disk is full.
    }
  }

  void free() throws IOException {
    Files.deleteIfExists(root.resolve("filler"));
    isWhole = true;
  }

  /** Stops all reads and writes. From now on, nothing becomes durable. */
  void loseFilesThatAreNotSynced() throws IOException, InterruptedException {
    isWhole = false;
    run("python3", "-c", SHUT_DOWN, root.toString());
  }

  /** Mounts the disk again, when no process uses it any more. */
  void powerOn() throws IOException, InterruptedException {
    run("umount", root.toString());
    mount();
    isWhole = true;
  }

  @Override
  public void close() throws IOException {
    for (Path each : List.of(root, mounts)) {
      new ProcessBuilder("umount", "--lazy", each.toString()).inheritIO().start().onExit().join();
    }
  }
}
