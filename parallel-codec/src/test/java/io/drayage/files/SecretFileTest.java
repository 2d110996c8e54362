package io.drayage.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SecretFileTest {
  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void make() throws IOException {
    assumeTrue(folder.getFileSystem().supportedFileAttributeViews().contains("posix"));
    file = Files.writeString(folder.resolve("login"), "user:password");
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-------", "r--------", "rw-r-----", "r--r-----"})
  void acceptsWhatOnlyItsOwnerAndItsGroupRead(String mode) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    assertThatCode(() -> SecretFile.requirePrivate(file)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "rw-r--r--, 0644, read",
    "rw----r--, 0604, read",
    "rwxrwxrwx, 0777, read",
    "rw--w----, 0620, write",
    "rw-rw----, 0660, write",
    "rw-----w-, 0602, write",
  })
  void refusesWhatOthersReadOrWriteAndSaysWhatToDo(String mode, String octal, String verb)
      throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    assertThatThrownBy(() -> SecretFile.requirePrivate(file))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("others can %s this secret", verb)
        .hasMessageContaining("its mode is %s (%s)", octal, mode)
        .hasMessageContaining("chmod 600 " + file);
  }

  /** Kubernetes mounts a Secret as a link into a folder that is replaced as a whole. */
  @Test
  void looksAtTheFileBehindALink() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("link"), file.getFileName());
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r-----"));
    assertThatCode(() -> SecretFile.requirePrivate(link)).doesNotThrowAnyException();
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
    assertThatThrownBy(() -> SecretFile.requirePrivate(link)).hasMessageContaining("0444");
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> SecretFile.requirePrivate(folder.resolve("absent")))
        .hasMessageContaining("absent");
  }

  @Test
  void foldersAndFilesAreMadePrivateWhateverTheUmaskIs() throws IOException {
    Path made = folder.resolve("a/b");
    FileRights.PRIVATE.makeFolders(made);
    FileRights.PRIVATE.makeFolders(made);
    for (Path each : new Path[] {made, made.getParent()}) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
          .isEqualTo("rwx------");
    }
  }
}
