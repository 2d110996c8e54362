package io.drayage.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

final class WholeFileTest {
  @TempDir private Path folder;

  private static void write(Path file, String text) throws IOException {
    WholeFile.write(file, unfinished -> Files.writeString(unfinished, text));
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void aFileAppearsWhenItIsComplete() throws Exception {
    Path file = Files.writeString(folder.resolve("f"), "old");
    Files.writeString(folder.resolve("f.part"), "another's");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    WholeFile.write(
        file,
        unfinished -> {
          Files.writeString(unfinished, "new");
          assertThat(file).hasContent("old");
        });
    assertThat(file).hasContent("new");
    assertThat(Files.getPosixFilePermissions(file))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    assertThatThrownBy(
            () ->
                WholeFile.write(
                    file,
                    unfinished -> {
                      Files.writeString(unfinished, "half");
                      throw new IOException("no space");
                    }))
        .hasMessage("no space");
    assertThat(file).hasContent("new");
    assertThat(folder.resolve("f.part")).hasContent("another's");
    assertThat(names()).containsExactly("f", "f.part");
  }

  @Test
  void onlyARegularFileIsReplaced() throws Exception {
    Path fifo = folder.resolve("fifo");
    assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
    Path dangling = Files.createSymbolicLink(folder.resolve("dangling"), folder.resolve("none"));
    Path device = Files.createSymbolicLink(folder.resolve("device"), Path.of("/dev/null"));
    Path inner = Files.createDirectory(folder.resolve("folder"));
    for (Path file :
        List.of(fifo, dangling, device, inner, Path.of("/dev/null"), Path.of("/dev/stdout"))) {
      assertThatThrownBy(() -> write(file, "x"))
          .as(file.toString())
          .isInstanceOf(FileSystemException.class)
          .hasMessageStartingWith(file + ": is a ");
      assertThatThrownBy(() -> WholeFile.requireReplaceable(file)).hasMessageContaining("is a ");
    }
    // Opening it would wait for a reader.
    assertThatThrownBy(() -> WholeFile.stream(fifo, out -> out.write('x')))
        .isInstanceOf(FileSystemException.class)
        .hasMessage(fifo + ": is a pipe, which may have no reader: name a file");
    assertThat(names()).containsExactly("dangling", "device", "fifo", "folder");
    assertThatThrownBy(() -> write(folder.resolve("none").resolve("f"), "x"))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessage(folder.resolve("none").toString());
  }

  @Test
  void aLinkToAFileStays() throws Exception {
    Path file = Files.writeString(folder.resolve("f"), "old");
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    write(link, "new");
    assertThat(link).isSymbolicLink();
    assertThat(file).hasContent("new");
  }

  @Test
  void aStreamGoesIntoADevice() throws Exception {
    WholeFile.stream(Path.of("/dev/null"), out -> out.write(1));
    Path file = folder.resolve("f");
    WholeFile.stream(file, out -> out.write('x'));
    assertThat(file).hasContent("x");
    assertThat(Path.of("/dev/null")).exists().isNotEqualTo(file);
    assertThat(Files.isRegularFile(Path.of("/dev/null"))).isFalse();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aFullDiskNamesTheFile() {
    Path full = Path.of("/dev/full");
    assertThatThrownBy(() -> WholeFile.stream(full, out -> out.write(new byte[10])))
        .isInstanceOf(FileSystemException.class)
        .hasMessage("/dev/full: No space left on device");
    assertThatThrownBy(() -> WholeFile.stream(full, out -> out.write(1)))
        .hasMessage("/dev/full: No space left on device");
    assertThatThrownBy(
            () ->
                WholeFile.stream(
                    folder.resolve("f"),
                    out -> {
                      throw new IOException("of what is written");
                    }))
        .hasMessage("of what is written");
  }
}
