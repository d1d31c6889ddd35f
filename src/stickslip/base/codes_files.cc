#include "stickslip/base/codes.h"

// Files and syntax.
namespace stickslip {

const std::vector<Code>& files_codes() {
  static const std::vector<Code> kCodes{
      {"no-such-file", Severity::kError, Change::kNone,
       "The file cannot be opened: no such file, a folder, or no permission.", "include: [{file: robto.urdf}]",
       "Check the path; names are relative to the folder of the file that names them."},
      {"not-a-file", Severity::kError, Change::kNone,
       "What the name leads to is a pipe, a socket or a device: waiting for what may come out of it could have no end.",
       "stickslip check <(make_robot)", "Write what comes out of it to a file first, and name that."},
      {"file-too-large", Severity::kError, Change::kNone,
       "The file is larger than the reader accepts (64 MB of YAML, 256 MB of XML, 1 GB of mesh).",
       "mesh: {file: scan.obj}", "Reduce the mesh, or split the scene by includes."},
      {"outside-folder", Severity::kErrorOrWarning, Change::kLeftOut,
       "A file names another that is not in its folder, up to four folders above, or below a folder that was allowed. "
       "A model from elsewhere must not read whatever it likes. URDF: the mesh is left out.",
       "<mesh file=\"/etc/passwd\"/>",
       "Move the file to the model, or allow its folder: --package-path FOLDER, in Python package_path=[...]."},
      {"unknown-format", Severity::kError, Change::kNone,
       "Neither the extension nor the content says what the file is.", "stickslip check robot.txt",
       "Name it .yaml, .urdf or .xml (MJCF)."},
      {"not-text", Severity::kError, Change::kNone,
       "The file has bytes that no text has: a mesh, a picture, a recording, or text in UTF-16.",
       "stickslip check run.h5.yaml", "Name a text file in UTF-8."},
      {"not-urdf", Severity::kError, Change::kNone, "The root element of a .urdf file is not <robot>.",
       "<mujoco/> in robot.urdf", "Give the file the name of its format: .xml for MJCF."},
      {"not-mjcf", Severity::kError, Change::kNone, "The root element of an .xml file is neither <mujoco> nor <robot>.",
       "<sdf version=\"1.7\"/> in world.xml", "Give the file the name of its format."},
      {"xacro", Severity::kError, Change::kNone, "The file is a xacro template, not yet a URDF.",
       "<mass value=\"${m}\"/>", "Run 'xacro robot.urdf.xacro > robot.urdf' and load its output."},
      {"bad-xml", Severity::kError, Change::kNone,
       "The text is not well-formed XML: a tag or quote that is not closed, words outside the root element, two root "
       "elements.",
       "<link name=\"a\">", "Look just before the place: an element may be unclosed or a quote missing."},
      {"bad-reference", Severity::kError, Change::kNone,
       "An XML text names an entity that is none of &amp; &lt; &gt; &quot; &apos;, or the number of a character that "
       "XML "
       "does not have.",
       "<link name=\"&lol;\"/>", "Write the character itself."},
      {"doctype", Severity::kError, Change::kNone,
       "The XML file has a document type, which could define words of its own and files to read.",
       "<!DOCTYPE robot [<!ENTITY m \"2\">]>", "Remove <!DOCTYPE ...> and write the entities out."},
      {"repeated-attribute", Severity::kError, Change::kNone, "An element has an attribute twice.",
       "<mass value=\"1\" value=\"2\"/>", "Keep one of them."},
      {"bad-yaml", Severity::kError, Change::kNone, "The text is not YAML: indentation, brackets, quotes.",
       "bodies: [{name: a}", "Check indentation, brackets and quotes near the place."},
      {"empty-file", Severity::kError, Change::kNone, "The file holds no scene: nothing, or only comments.", "# to do",
       "Write a scene, or name another file."},
      {"two-documents", Severity::kError, Change::kNone, "The file holds several YAML documents.", "---",
       "Put the second document in a file of its own."},
      {"duplicate-key", Severity::kError, Change::kNone, "A map has a key twice.", "{mass: 1, mass: 2}",
       "Keep one of them."},
      {"bad-key", Severity::kError, Change::kNone, "A key of a map is not a plain word.", "? [a, b]", "Write a word."},
      {"bad-alias", Severity::kError, Change::kNone, "An alias stands inside the node that it names.",
       "bodies: &b [*b]", "Name a node that ends before the alias."},
      {"unsupported-merge", Severity::kError, Change::kNone, "Merge keys are not part of YAML 1.2.",
       "{<<: *base, mass: 2}", "Write the keys out, or alias a whole value."},
      {"unsupported-tag", Severity::kError, Change::kNone, "Scene files have no tags.", "gravity: !vector [0, 0, 1]",
       "Remove the tag."},
      {"too-deep", Severity::kError, Change::kNone,
       "Elements are nested deeper than any model needs: 256 in XML (bodies of MJCF 10 000), 64 in YAML. Or more than "
       "1000 frames of SDF are each relative to the next.",
       "<frame><frame><frame>...", "Look for an element that is never closed."},
      {"too-large", Severity::kError, Change::kNone,
       "With aliases or includes written out, the file has millions of values.", "a: &a [*b, *b, *b, *b]",
       "Check the aliases: each use counts as a copy."},
      {"out-of-memory", Severity::kError, Change::kNone,
       "The machine, or a limit that was set, does not have the memory that the model or its simulation takes. In "
       "Python "
       "a ModelError of what is read, else a MemoryError.",
       "ulimit -v 100000", "Make meshes, tables or the number of bodies smaller, or raise the limit."},
      {"include-cycle", Severity::kError, Change::kNone, "A file includes itself, directly or through others.",
       "include: [{file: me.yaml}] in me.yaml", "Remove one of the includes of the cycle."},
      {"include-too-deep", Severity::kError, Change::kNone, "Includes are nested more than 16 deep.",
       "a.yaml includes b.yaml includes ...", "Include the files from one place."},
      {"too-many-includes", Severity::kError, Change::kNone, "A scene includes more than 10 000 files.",
       "ten files that each include the next ten times", "Include fewer."},
      {"bad-simulation", Severity::kError, Change::kNone,
       "The simulation names a method, or options of it, that do not exist.", "simulation: {method: cynic}",
       "See 'stickslip run --help' for the methods."},
  };
  return kCodes;
}

}  // namespace stickslip
