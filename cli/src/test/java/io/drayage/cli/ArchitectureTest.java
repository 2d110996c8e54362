package io.drayage.cli;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.drayage.frame.MessageForUsers;
import java.io.FileDescriptor;

/** Rules that the build file cannot express. All modules are on the class path here. */
@ArchTag("ci")
@AnalyzeClasses(
    packages = "io.drayage",
    importOptions = {DoNotIncludeTests.class, ArchitectureTest.DoNotIncludeTestJars.class})
class ArchitectureTest {
  /** Excludes test code that modules share. */
  static final class DoNotIncludeTestJars implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("-tests.jar");
    }
  }

  @ArchTest
  static final ArchRule PACKAGES_HAVE_NO_CYCLES =
      slices().matching("io.drayage.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule THE_STUDYS_SERIALIZERS_STAY_IN_THE_BASELINE =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.drayage.baseline..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("com.esotericsoftware..", "org.msgpack..");

  @ArchTest
  static final ArchRule GRPC_STAYS_IN_ITS_TRANSPORT =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.drayage.baseline.grpc..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.grpc..", "com.google.protobuf..");

  @ArchTest
  static final ArchRule STANDARD_OUTPUT_HAS_ONE_WAY_OUT =
      noClasses()
          .that()
          // The channel from a child to the rig, which kills the child at its end.
          .resideOutsideOfPackages("io.drayage.cli.output..", "io.drayage.bench.child..")
          .should()
          .accessField(System.class, "out")
          .orShould()
          .accessField(FileDescriptor.class, "out")
          .orShould()
          .callMethod(System.class, "console")
          .because("what cannot be written must end the command: StandardOutput");

  @ArchTest
  static final ArchRule NETTY_STAYS_IN_ITS_TRANSPORT =
      noClasses()
          .that()
          // The ceiling measures the throughput of a plain Netty socket.
          .resideOutsideOfPackages("io.drayage.transport.netty..", "io.drayage.bench.ceiling..")
          .should()
          .dependOnClassesThat(
              resideInAPackage("io.netty..")
                  // Makes the rig's certificates, and does not use a network.
                  .and(not(resideInAPackage("io.netty.pkitesting.."))));

  @ArchTest
  static final ArchRule ARROW_STAYS_IN_MODULES_THAT_ARE_NOT_HERE =
      noClasses().should().dependOnClassesThat().resideInAPackage("org.apache.arrow..");

  @ArchTest
  static final ArchRule SPARK_STAYS_IN_A_MODULE_THAT_IS_NOT_HERE =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.spark..", "io.drayage.spark..");

  @ArchTest
  static final ArchRule ZOOKEEPER_STAYS_IN_ITS_COORDINATION =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.drayage.coordination.zookeeper..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.zookeeper..", "org.apache.curator..");

  @ArchTest
  static final ArchRule S3_STAYS_IN_ITS_OBJECT_STORE =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.drayage.objectstore..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("software.amazon..");

  @ArchTest
  static final ArchRule THE_PROFILER_STAYS_IN_ITS_MODULE =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.drayage.profiling..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("one.profiler..", "one.convert..", "one.jfr..");

  @ArchTest
  static final ArchRule NOTHING_BUT_THE_COMMAND_LINE_DEPENDS_ON_THE_BENCH =
      noClasses()
          .that()
          .resideOutsideOfPackages("io.drayage.bench..", "io.drayage.cli..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.drayage.bench..");

  @ArchTest
  static final ArchRule CHECKED_EXCEPTIONS_THAT_LEAVE_A_PACKAGE_ARE_FOR_USERS =
      classes()
          .that()
          .areAssignableTo(Exception.class)
          .and()
          .areNotAssignableTo(RuntimeException.class)
          .and()
          .arePublic()
          .should()
          .implement(MessageForUsers.class)
          .because("a command prints the message of these alone");

  @ArchTest
  static final ArchRule PIPELINES_AND_CARGO_KNOW_NO_TRANSPORT_BUT_ITS_INTERFACES =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.drayage.cargo..",
              "io.drayage.segment..",
              "io.drayage.codec..",
              "io.drayage.send..",
              "io.drayage.receive..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.drayage.transport.netty..", "io.drayage.baseline.grpc..");
}
