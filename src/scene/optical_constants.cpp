// SPDX-License-Identifier: MIT
#include "scene/optical_constants.h"

#include <array>
#include <cctype>

namespace winnow {
namespace {

struct Metal {
  std::string_view symbol, name;
  ComplexIor ior;
};

// The rows to "W" are measurements collected by refractiveindex.info (Johnson & Christy 1972 for
// the noble metals and copper), averaged with weights over the bands of Rec.709. Brass is CuZn.
// The rows from "AlAs" are the spectra of Palik, "Handbook of Optical Constants of Solids", that
// Mitsuba ships, as colours of its RGB mode. They are no averages: its weights of red, green and
// blue sum to 1.205, 0.948 and 0.909, as of white of equal energy, and negative values become 0.
// About half of them are semiconductors or insulators. Scenes name them as metals, too.
const std::array<Metal, 43> kMetals = {{
    {"Ag", "silver", {{0.1553f, 0.1167f, 0.1384f}, {4.8283f, 3.1222f, 2.1470f}}},
    {"Al", "aluminium", {{1.6575f, 0.8804f, 0.5212f}, {9.2239f, 6.2695f, 4.8370f}}},
    {"Au", "gold", {{0.1431f, 0.3750f, 1.4425f}, {3.9832f, 2.3857f, 1.6032f}}},
    {"Cr", "chromium", {{4.3697f, 2.9167f, 1.6547f}, {5.2064f, 4.2314f, 3.7549f}}},
    {"Cu", "copper", {{0.2004f, 0.9240f, 1.1022f}, {3.9129f, 2.4528f, 2.1422f}}},
    {"CuZn", "brass", {{0.4440f, 0.5270f, 1.0940f}, {3.6950f, 2.7650f, 1.8290f}}},
    {"Hg", "mercury", {{2.3989f, 1.4400f, 0.9096f}, {6.3276f, 4.3719f, 3.4218f}}},
    {"Ni", "nickel", {{2.3673f, 1.6634f, 1.4671f}, {4.4988f, 3.0502f, 2.3454f}}},
    {"W", "tungsten", {{4.3707f, 3.3002f, 2.9983f}, {3.5007f, 2.6049f, 2.2731f}}},
    {"none", "none", {{0.0f, 0.0f, 0.0f}, {1.0f, 1.0f, 1.0f}}},  // reflects everything
    {"AlAs", "AlAs", {{3.6053f, 3.2329f, 2.2163f}, {0.0007f, 0.0000f, 0.0075f}}},
    {"AlSb", "AlSb", {{0.0000f, 4.1394f, 4.6693f}, {0.0000f, 0.0940f, 1.3006f}}},
    {"Be", "Be", {{4.1850f, 3.1850f, 2.7841f}, {3.8355f, 3.0101f, 2.8690f}}},
    {"CsI", "CsI", {{2.1449f, 1.7023f, 1.6624f}, {0.0000f, 0.0000f, 0.0000f}}},
    {"Cu2O", "Cu2O", {{3.5518f, 2.9499f, 2.7519f}, {0.1142f, 0.1939f, 0.6061f}}},
    {"CuO", "CuO", {{3.2475f, 2.4478f, 2.2102f}, {0.5211f, 0.5700f, 0.7222f}}},
    {"Cu_palik", "Cu_palik", {{0.2132f, 0.9197f, 1.1024f}, {3.9219f, 2.4573f, 2.1366f}}},
    {"HgTe", "HgTe", {{4.7790f, 3.2312f, 2.6599f}, {1.6316f, 1.5808f, 1.7293f}}},
    {"Ir", "Ir", {{3.0863f, 2.0822f, 1.6179f}, {5.5922f, 4.0671f, 3.2673f}}},
    {"K", "K", {{0.0640f, 0.0464f, 0.0382f}, {2.1042f, 1.3489f, 0.9131f}}},
    {"Li", "Li", {{0.2658f, 0.1956f, 0.2209f}, {3.5402f, 2.3111f, 1.6686f}}},
    {"MgO", "MgO", {{2.0896f, 1.6507f, 1.5949f}, {0.0000f, 0.0000f, 0.0000f}}},
    {"Mo", "Mo", {{4.4840f, 3.5251f, 2.7763f}, {4.1114f, 3.4208f, 3.1506f}}},
    {"Na", "Na", {{0.0603f, 0.0561f, 0.0620f}, {3.1793f, 2.1125f, 1.5790f}}},
    {"Nb", "Nb", {{3.4201f, 2.7901f, 2.3956f}, {3.4414f, 2.7377f, 2.5797f}}},
    {"Rh", "Rh", {{2.5858f, 1.8602f, 1.5543f}, {6.7823f, 4.7030f, 3.9761f}}},
    {"Se", "Se", {{4.0583f, 2.8429f, 2.8209f}, {0.7540f, 0.6384f, 0.5218f}}},
    {"Se-e", "Se-e", {{5.7228f, 4.1657f, 4.0813f}, {0.8711f, 1.1052f, 1.5653f}}},
    {"SiC", "SiC", {{3.1723f, 2.5260f, 2.4794f}, {0.0000f, 0.0000f, 0.0000f}}},
    {"SnTe", "SnTe", {{4.5242f, 1.9816f, 1.2816f}, {0.0000f, 0.0000f, 0.0000f}}},
    {"Ta", "Ta", {{2.0627f, 2.3929f, 2.6279f}, {2.4084f, 1.7415f, 1.9470f}}},
    {"Te", "Te", {{7.3902f, 4.4821f, 2.6371f}, {3.2560f, 3.5271f, 3.2921f}}},
    {"Te-e", "Te-e", {{7.5089f, 4.2964f, 2.3700f}, {5.5839f, 4.9472f, 3.9976f}}},
    {"ThF4", "ThF4", {{1.8307f, 1.4422f, 1.3876f}, {0.0000f, 0.0000f, 0.0000f}}},
    {"TiC", "TiC", {{3.7005f, 2.8374f, 2.5823f}, {3.2656f, 2.3516f, 2.1728f}}},
    {"TiN", "TiN", {{1.6484f, 1.1505f, 1.3798f}, {3.3683f, 1.9435f, 1.1021f}}},
    {"TiO2", "TiO2", {{3.4566f, 2.8017f, 2.9052f}, {0.0001f, 0.0000f, 0.0007f}}},
    {"TiO2-e", "TiO2-e", {{3.1066f, 2.5132f, 2.5824f}, {0.0000f, 0.0000f, 0.0002f}}},
    {"VC", "VC", {{3.6576f, 2.7527f, 2.5327f}, {3.0683f, 2.1987f, 1.9632f}}},
    {"VN", "VN", {{2.8656f, 2.1192f, 1.9401f}, {3.0322f, 2.0561f, 1.6163f}}},
    {"V", "V", {{4.2776f, 3.5129f, 2.7611f}, {3.4913f, 2.8895f, 3.1115f}}},
    {"a-C", "a-C", {{2.9440f, 2.2271f, 1.9682f}, {0.8875f, 0.7993f, 0.8153f}}},
    {"d-C", "d-C", {{2.7087f, 2.3188f, 2.2289f}, {0.0000f, 0.0000f, 0.0000f}}},
}};

struct Clear {
  std::string_view name;
  float ior;
};

constexpr std::array<Clear, 23> kClear = {{
    {"vacuum", 1.0f},
    {"helium", 1.000036f},
    {"hydrogen", 1.000132f},
    {"air", 1.000277f},
    {"carbon dioxide", 1.00045f},
    {"water ice", 1.31f},
    {"water", 1.333f},
    {"acetone", 1.36f},
    {"ethanol", 1.361f},
    {"fused quartz", 1.458f},
    {"carbon tetrachloride", 1.461f},
    {"pyrex", 1.47f},
    {"glycerol", 1.4729f},
    {"acrylic glass", 1.49f},
    {"polypropylene", 1.49f},
    {"benzene", 1.501f},
    {"bk7", 1.5046f},
    {"silicone oil", 1.52045f},
    {"sodium chloride", 1.544f},
    {"amber", 1.55f},
    {"pet", 1.575f},
    {"bromine", 1.661f},
    {"diamond", 2.419f},
}};

struct NamedMedium {
  std::string_view name;
  Medium medium;  ///< mm^-1
};

// Scattering is the reduced coefficient, for isotropic scattering. The rows to "wholemilk" are
// measured by Jensen, Marschner, Levoy & Hanrahan, "A Practical Model for Subsurface Light
// Transport", 2001, figure 5; the others by Narasimhan, Gupta, Donner, Ramamoorthi, Nayar & Jensen,
// "Acquiring Scattering Properties of Participating Media by Dilution", 2006.
const std::array<NamedMedium, 47> kNamedMedia = {{
    {"apple", {{0.0030f, 0.0034f, 0.046f}, {2.29f, 2.39f, 1.97f}}},
    {"chicken1", {{0.015f, 0.077f, 0.19f}, {0.15f, 0.21f, 0.38f}}},
    {"chicken2", {{0.018f, 0.088f, 0.20f}, {0.19f, 0.25f, 0.32f}}},
    {"cream", {{0.0002f, 0.0028f, 0.0163f}, {7.38f, 5.47f, 3.15f}}},
    {"ketchup", {{0.061f, 0.97f, 1.45f}, {0.18f, 0.07f, 0.03f}}},
    {"marble", {{0.0021f, 0.0041f, 0.0071f}, {2.19f, 2.62f, 3.00f}}},
    {"potato", {{0.0024f, 0.0090f, 0.12f}, {0.68f, 0.70f, 0.55f}}},
    {"skimmilk", {{0.0014f, 0.0025f, 0.0142f}, {0.70f, 1.22f, 1.90f}}},
    {"skin1", {{0.032f, 0.17f, 0.48f}, {0.74f, 0.88f, 1.01f}}},
    {"skin2", {{0.013f, 0.070f, 0.145f}, {1.09f, 1.59f, 1.79f}}},
    {"spectralon", {{0.0f, 0.0f, 0.0f}, {11.6f, 20.4f, 14.9f}}},
    {"wholemilk", {{0.0011f, 0.0024f, 0.014f}, {2.55f, 3.21f, 3.77f}}},
    {"apple juice", {{0.012957f, 0.023741f, 0.052184f}, {0.00013612f, 0.00015836f, 0.000227f}}},
    {"budweiser beer",
     {{0.011492f, 0.024911f, 0.057786f}, {2.4356e-05f, 2.4079e-05f, 1.0564e-05f}}},
    {"cappuccino powder", {{35.844f, 49.547f, 61.084f}, {1.8436f, 2.5851f, 2.1662f}}},
    {"chardonnay", {{0.010782f, 0.011855f, 0.023997f}, {1.7982e-05f, 1.3758e-05f, 1.2023e-05f}}},
    {"clorox", {{0.0033542f, 0.014892f, 0.026297f}, {0.0024035f, 0.0031373f, 0.003991f}}},
    {"coke", {{0.10014f, 0.16503f, 0.2468f}, {8.9053e-05f, 8.372e-05f, 0.0f}}},
    {"coors light beer", {{0.006164f, 0.013984f, 0.034983f}, {5.0922e-05f, 4.301e-05f, 0.0f}}},
    {"cranberry juice",
     {{0.039437f, 0.094223f, 0.12426f}, {0.00010402f, 0.00011646f, 7.8139e-05f}}},
    {"espresso", {{4.7984f, 6.5751f, 8.8493f}, {0.72378f, 0.84557f, 1.0247f}}},
    {"gatorade", {{0.024794f, 0.019289f, 0.008878f}, {0.0024574f, 0.003007f, 0.0037325f}}},
    {"grape juice", {{0.10404f, 0.23958f, 0.29325f}, {5.382e-05f, 0.0f, 0.0f}}},
    {"head & shoulders shampoo",
     {{0.084621f, 0.15688f, 0.20365f}, {0.023805f, 0.028804f, 0.034306f}}},
    {"lemon tea powder", {{2.4288f, 4.5757f, 7.2127f}, {0.040224f, 0.045264f, 0.051081f}}},
    {"lowfat chocolate milk", {{0.0115f, 0.0368f, 0.1564f}, {0.64925f, 0.83916f, 1.1057f}}},
    {"lowfat milk", {{0.002875f, 0.00575f, 0.0115f}, {0.89187f, 1.5136f, 2.532f}}},
    {"lowfat soy milk", {{0.0014375f, 0.0071875f, 0.035937f}, {0.30576f, 0.34233f, 0.61664f}}},
    {"merlot", {{0.11632f, 0.25191f, 0.29434f}, {2.1129e-05f, 0.0f, 0.0f}}},
    {"mint mocha coffee", {{3.772f, 5.8228f, 7.82f}, {0.31602f, 0.38538f, 0.48131f}}},
    {"orange powder", {{0.001449f, 0.003441f, 0.007863f}, {0.00015617f, 0.00017482f, 0.0001762f}}},
    {"pacific ocean surface water",
     {{0.031845f, 0.031324f, 0.030147f}, {0.0001764f, 0.00032095f, 0.00019617f}}},
    {"pepsi", {{0.091641f, 0.14158f, 0.20729f}, {6.1697e-05f, 4.2564e-05f, 0.0f}}},
    {"pink lemonade powder",
     {{0.001165f, 0.002366f, 0.003195f}, {0.00012103f, 0.00013073f, 0.00012528f}}},
    {"reduced milk", {{0.0025556f, 0.0051111f, 0.012778f}, {2.4858f, 3.1669f, 4.5214f}}},
    {"regular chocolate milk", {{0.010063f, 0.043125f, 0.14375f}, {1.4585f, 2.1289f, 2.9527f}}},
    {"regular milk", {{0.0015333f, 0.0046f, 0.019933f}, {4.5513f, 5.8294f, 7.136f}}},
    {"regular soy milk", {{0.0019167f, 0.0095833f, 0.065167f}, {0.59223f, 0.73866f, 1.4693f}}},
    {"ruby grapefruit juice", {{0.085867f, 0.18314f, 0.25262f}, {0.011002f, 0.010927f, 0.011036f}}},
    {"salt powder", {{0.28415f, 0.3257f, 0.34148f}, {0.027333f, 0.032451f, 0.031979f}}},
    {"shampoo", {{0.014107f, 0.045693f, 0.061717f}, {0.0007176f, 0.0008303f, 0.0009016f}}},
    {"sprite", {{0.001886f, 0.0018308f, 0.0020025f}, {6.0306e-06f, 6.4139e-06f, 6.5504e-06f}}},
    {"strawberry shampoo",
     {{0.01449f, 0.05796f, 0.075823f}, {0.00015671f, 0.00015947f, 1.518e-05f}}},
    {"sugar powder", {{0.012638f, 0.031051f, 0.050124f}, {0.00022272f, 0.00025513f, 0.000271f}}},
    {"suisse mocha powder", {{17.502f, 27.004f, 35.433f}, {2.7979f, 3.5452f, 4.3365f}}},
    {"white grapefruit juice", {{0.0138f, 0.018831f, 0.056781f}, {0.22826f, 0.23998f, 0.32748f}}},
    {"white zinfandel",
     {{0.012072f, 0.016184f, 0.019843f}, {1.7501e-05f, 1.9069e-05f, 1.288e-05f}}},
}};

}  // namespace

ComplexIor with_fresnel_term(ComplexIor ior) {
  constexpr float kTiny = 1e-6f;  // its square is above 0 in a float
  for (int channel = 0; channel < 3; ++channel)
    if (ior.n[channel] < kTiny && ior.k[channel] < kTiny) ior.n[channel] = kTiny;
  return ior;
}

std::optional<ComplexIor> find_metal(std::string_view name) {
  constexpr std::string_view kSource = "_palik";  // end of names that state where others are from
  for (const Metal& metal : kMetals)
    if (metal.symbol == name || metal.name == name) return with_fresnel_term(metal.ior);
  if (name.ends_with(kSource)) return find_metal(name.substr(0, name.size() - kSource.size()));
  return std::nullopt;
}

std::optional<float> find_ior(std::string_view name) {
  for (const Clear& clear : kClear)
    if (clear.name == name) return clear.ior;
  return std::nullopt;
}

std::optional<Medium> find_medium(std::string name) {
  for (char& c : name) c = char(std::tolower(static_cast<unsigned char>(c)));
  for (const NamedMedium& known : kNamedMedia)
    if (known.name == name) return known.medium;
  return std::nullopt;
}

glm::vec3 normal_reflectance(const ComplexIor& ior) {
  glm::vec3 k2 = ior.k * ior.k, below = ior.n - 1.0f, above = ior.n + 1.0f;
  return (below * below + k2) / (above * above + k2);
}

}  // namespace winnow
